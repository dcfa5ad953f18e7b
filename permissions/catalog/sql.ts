import { gatewaySchemas, loginSchemaComment } from '../text/object-names.ts';
import { operatorSymbols } from '../text/operator-symbols.ts';

/** SQL for the key of the table with the given alias, in the form that tableKey() of catalog.ts builds. */
const key = (alias: string) =>
  `${escaped(`${alias}.nspname`)} || '.' || ${escaped(`${alias}.relname`)}`;
const escaped = (name: string) => `replace(replace(${name}, E'\\\\', E'\\\\\\\\'), '.', E'\\\\.')`;

export const catalogParameters = [operatorSymbols];

/** SQL for the comment on an object. Postgres would run a query of its own for each call of obj_description. */
const comment = (catalog: string, oid: string, column = '0') =>
  `(select d.description from pg_catalog.pg_description d where d.objoid = ${oid} and d.classoid = 'pg_catalog.${catalog}'::pg_catalog.regclass and d.objsubid = ${column})`;

const hiddenSchemas = ['information_schema', ...gatewaySchemas]
  .map((name) => `'${name}'`)
  .join(', ');

/**
 * The schemas of views for direct logins. A comment proves nothing, because anyone may put it on a schema of their own.
 * So the schema must also belong to the owner of Rowgate, and only views in it are left out.
 */
const loginSchemas = `
    select s.oid from pg_catalog.pg_namespace s
    join pg_catalog.pg_namespace o on o.nspname = 'rowgate' and o.nspowner = s.nspowner
    where ${comment('pg_namespace', 's.oid')} = '${loginSchemaComment}'`;

/**
 * Matches texts in a function's body that may be header names: words joined by hyphens, inside quotes or braces, as
 * they occur after `->>` and in JSON paths.
 */
const headerPattern = `'[''"{]([A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)+)[''"}]'`;

const isSet = (option: string) =>
  `exists (select from pg_catalog.pg_options_to_table(c.reloptions) o where o.option_name = '${option}' and o.option_value::bool)`;

/**
 * True for a column of a view that no statement can write. pg_column_is_updatable is not enough: it requires that both
 * update and delete are possible, but an INSTEAD OF trigger may handle inserts alone.
 */
const unwritable = `not pg_catalog.pg_column_is_updatable(c.oid, a.attnum, true) and not exists (
          select from pg_catalog.pg_trigger t where t.tgrelid = c.oid and t.tgtype & 64 <> 0 and t.tgtype & 4 <> 0)`;

/**
 * Reads, for all views at once, the relations that each view reads directly and indirectly, and whether Postgres
 * enforces the filters and check options of generated views above it.
 *
 * A rewrite rule with `instead` removes the check options of the views above it
 * (https://www.postgresql.org/docs/current/sql-createview.html). An INSTEAD OF trigger for update or delete removes the
 * filters of the views above it, unless its own view is a security barrier. The reason is that Postgres pulls the rows
 * of that view up into the statement, where the filters of the security barriers above no longer apply.
 *
 * `event` is a bit of pg_trigger.tgtype, `bit` a bit of pg_relation_is_updatable.
 */
const viewParts = `view_read as materialized (
  select w.ev_class as view, d.refobjid as oid, d.refobjsubid as attnum
  from pg_catalog.pg_rewrite w
  join relation v on v.oid = w.ev_class and v.relkind in ('v', 'm')
  join pg_catalog.pg_depend d on d.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass and d.objid = w.oid
    and d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass and d.refobjid <> w.ev_class
  where w.ev_type = '1'
), view_below (top, oid) as (
  select v.oid, v.oid from relation v where v.relkind in ('v', 'm')
  union select b.top, r.oid from view_below b join view_read r on r.view = b.oid
), ruled_view as (
  select distinct b.top from view_below b
  join pg_catalog.pg_rewrite w on w.ev_class = b.oid and w.ev_type <> '1' and w.is_instead
), way_to_trigger (top, oid, event, bit) as (
  select v.oid, v.oid, e.event, e.bit from relation v cross join (values (16, 4), (8, 16)) e(event, bit) where v.relkind = 'v'
  union select w.top, r.oid, w.event, w.bit from way_to_trigger w join view_read r on r.view = w.oid
  where not exists (select from pg_catalog.pg_trigger t where t.tgrelid = w.oid and t.tgtype & 64 <> 0 and t.tgtype & w.event <> 0)
), passed_over as (
  select w.top, pg_catalog.bit_or(w.bit) as bits from way_to_trigger w
  join pg_catalog.pg_class c on c.oid = w.oid
  where exists (select from pg_catalog.pg_trigger t where t.tgrelid = w.oid and t.tgtype & 64 <> 0 and t.tgtype & w.event <> 0)
    and not ${isSet('security_barrier')}
  group by 1
), drawn_from as materialized (
  select x.top, pg_catalog.json_agg(distinct pg_catalog.jsonb_build_object('schema', sn.nspname, 'name', s.relname)) as sequences
  from (select r.oid as top, r.oid from relation r union select b.top, b.oid from view_below b) x
  join pg_catalog.pg_attrdef d on d.adrelid = x.oid
  join pg_catalog.pg_depend dep on dep.classid = 'pg_catalog.pg_attrdef'::pg_catalog.regclass and dep.objid = d.oid
    and dep.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass
  join pg_catalog.pg_class s on s.oid = dep.refobjid and s.relkind = 'S'
  join pg_catalog.pg_namespace sn on sn.oid = s.relnamespace
  group by 1
), view_reads as materialized (
  select x.view, pg_catalog.json_agg(pg_catalog.json_build_object('table', x.key, 'columns', x.columns) order by x.key) as reads
  from (select r.view, ${key('f')} as key,
      coalesce(pg_catalog.json_agg(distinct a.attname) filter (where a.attname is not null), '[]') as columns
    from view_read r
    join (select o.oid, o.relname, n.nspname from pg_catalog.pg_class o join pg_catalog.pg_namespace n on n.oid = o.relnamespace) f on f.oid = r.oid
    left join pg_catalog.pg_attribute a on a.attrelid = r.oid and a.attnum = r.attnum and r.attnum > 0
    group by 1, 2) x
  group by 1
)`;

const view = `(select pg_catalog.json_build_object(
        'invoker', ${isSet('security_invoker')},
        'insertable', can.bits & 8 <> 0, 'updatable', can.bits & 4 <> 0, 'deletable', can.bits & 16 <> 0,
        'reads', coalesce((select r.reads from view_reads r where r.view = c.oid), '[]'))
      from (select case when c.oid in (select u.top from ruled_view u) then 0
        else pg_catalog.pg_relation_is_updatable(c.oid, true) & ~coalesce((select p.bits from passed_over p where p.top = c.oid), 0) end as bits) can)`;

/**
 * True if nulls are distinct in an index. Postgres 14 lacks this catalog column, and there nulls are always distinct.
 */
const nullsDistinct = `coalesce(pg_catalog.to_jsonb(i) ->> 'indnullsnotdistinct', 'false') = 'false'`;

/**
 * True if a foreign key has a period (`PERIOD` in its definition). Postgres 17 and older have neither this catalog
 * column nor such keys.
 */
const period = `coalesce(pg_catalog.to_jsonb(f) ->> 'conperiod', 'false') = 'true'`;

/**
 * The columns of a table's partition key, also those inside expressions. Postgres records that a table depends on the
 * columns of its partition key, and this query reads these dependencies.
 */
const partitionKey = `(select coalesce(pg_catalog.json_agg(distinct a.attname), '[]')
      from pg_catalog.pg_partition_tree(c.oid) t
      join pg_catalog.pg_partitioned_table p on p.partrelid = t.relid
      join pg_catalog.pg_depend d on d.objid = p.partrelid and d.refobjid = p.partrelid and d.refobjsubid = 0 and d.deptype = 'i'
        and d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass and d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass
      join attribute a on a.attrelid = p.partrelid and a.attnum = d.objsubid)`;

/**
 * Tables with a row trigger before insert (bits of pg_trigger.tgtype), and tables with a partition that has one.
 * Triggers that call Rowgate's own functions do not count, because they only fill presets.
 */
const insertTriggers = `insert_trigger as materialized (
  select t.tgrelid as oid from pg_catalog.pg_trigger t
  join pg_catalog.pg_proc p on p.oid = t.tgfoid
  join pg_catalog.pg_namespace n on n.oid = p.pronamespace and n.nspname <> 'rowgate_policy'
  where t.tgtype & 7 = 7
), insert_triggered as materialized (
  select t.oid from insert_trigger t
  union select a.relid from insert_trigger t, pg_catalog.pg_partition_ancestors(t.oid) a
)`;

/** Tables with a row trigger before update, and the tables above them. */
const updateTriggers = `update_triggered as (
  select t.tgrelid as oid from pg_catalog.pg_trigger t
  join pg_catalog.pg_proc p on p.oid = t.tgfoid
  join pg_catalog.pg_namespace n on n.oid = p.pronamespace and n.nspname <> 'rowgate_policy'
  where t.tgtype & 19 = 19
  union select i.inhparent from update_triggered t join pg_catalog.pg_inherits i on i.inhrelid = t.oid
)`;

/**
 * The collations of columns. Languages are listed whose lower case of `I` is `i`. The name of the locale stands in
 * another column in each version of Postgres.
 */
const collations = `used_collation as materialized (
  select l.oid, l.collisdeterministic as is_deterministic,
    case when l.collname <> 'default' or n.nspname <> 'pg_catalog' then n.nspname || '.' || l.collname end as name,
    case when l.collprovider = 'd' then (
      select coalesce(pg_catalog.to_jsonb(d) ->> 'datlocale', pg_catalog.to_jsonb(d) ->> 'daticulocale', d.datctype)
      from pg_catalog.pg_database d where d.datname = pg_catalog.current_database())
    else coalesce(pg_catalog.to_jsonb(l) ->> 'colllocale', pg_catalog.to_jsonb(l) ->> 'colliculocale', l.collctype, 'unknown')
    end !~* '^(c|posix|pg_unicode_fast|und|root|en|de|fr|es|it|nl|pt)?([^a-z]|$)' as odd_case
  from pg_catalog.pg_collation l join pg_catalog.pg_namespace n on n.oid = l.collnamespace
  where l.oid in (select a.attcollation from attribute a join relation c on c.oid = a.attrelid)
)`;

/**
 * All user-defined functions as JSON. `pinned` is true when the caller's search_path cannot change the meaning of names
 * in the body: the body is parsed at creation or compiled, or the function sets a search_path.
 */
const functions = `(select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object(
    'schema', n.nspname, 'name', p.proname, 'comment', ${comment('pg_proc', 'p.oid')},
    'volatility', p.provolatile, 'result', p.prorettype::int8, 'returnsSet', p.proretset, 'definer', p.prosecdef,
    'pinned', l.lanname in ('c', 'internal') or p.parsed
      or exists (select from pg_catalog.unnest(p.proconfig) s(setting) where s.setting like 'search\\_path=%'),
    'views', case when p.parsed then (select coalesce(pg_catalog.json_agg(distinct ${key('v')}), '[]')
      from pg_catalog.pg_depend d join relation v on v.oid = d.refobjid and v.relkind in ('v', 'm')
      where d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass and d.objid = p.oid
        and d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass) end,
    'headers', (select coalesce(pg_catalog.json_agg(distinct pg_catalog.lower(m.words[1])), '[]')
      from pg_catalog.regexp_matches(case when p.proargtypes::oid[] && array['pg_catalog.json', 'pg_catalog.jsonb']::pg_catalog.regtype[]::oid[]
        then pg_catalog.pg_get_functiondef(p.oid) else '' end, ${headerPattern}, 'g') m(words)),
    'arguments', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object(
        'name', coalesce(p.proargnames[a.position], ''), 'type', a.type::int8, 'mode', coalesce(p.proargmodes[a.position], 'i'),
        'hasDefault', a.position > coalesce(pg_catalog.array_length(p.proallargtypes, 1), p.pronargs) - p.pronargdefaults
          and coalesce(p.proargmodes[a.position], 'i') in ('i', 'b'),
        'default', case when p.proargmodes is null then pg_catalog.pg_get_function_arg_default(p.oid, a.position::int) end
      ) order by a.position), '[]')
      from pg_catalog.unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) with ordinality a(type, position))
  ) order by n.nspname, p.proname, p.oid), '[]')
  from own_function p
  join namespace n on n.oid = p.pronamespace
  join pg_catalog.pg_language l on l.oid = p.prolang
  where not exists (select from pg_catalog.unnest(coalesce(p.proallargtypes, p.proargtypes::oid[]) || p.prorettype) used(type)
      where used.type not in (select t.oid from usable_type t)))`;

/**
 * Returns one row with one JSON column per member of CatalogData; $1: operator symbols. Outside pg_catalog, only
 * operators owned by the owner of the type count, because any other role could have created a malicious operator.
 */
export const catalogQuery = `
with recursive namespace as (
  select n.oid, n.nspname from pg_catalog.pg_namespace n
  where n.nspname not like 'pg\\_%' and n.nspname not in (${hiddenSchemas})
), relation as (
  select c.oid, c.relname, c.relkind, c.reloptions, n.nspname from pg_catalog.pg_class c join namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'v', 'm', 'f') and not (c.relkind = 'v' and c.relnamespace in (${loginSchemas}))
), attribute as not materialized (
  select a.attrelid, a.attnum, a.attname, a.atttypid, a.atttypmod, a.atthasdef, a.attidentity, a.attgenerated, a.attcollation, a.attnotnull
  from pg_catalog.pg_attribute a where a.attnum > 0 and not a.attisdropped
), unchecked_not_null as (
  -- Since Postgres 18, existing rows may hold null while the constraint is not valid.
  select n.conrelid as oid, n.conkey[1] as attnum from pg_catalog.pg_constraint n
  where n.contype = 'n' and not n.convalidated and n.conrelid <> 0
), ${viewParts}, ${insertTriggers}, ${updateTriggers}, ${collations}, usable_type as (
  select t.oid, t.typname, t.typnamespace, t.typtype, t.typsubscript, t.typelem, t.typarray, t.typbasetype from pg_catalog.pg_type t
  left join pg_catalog.pg_class c on c.oid = t.typrelid
  left join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where t.typrelid = 0 or c.relkind = 'c' or n.nspname not in ('pg_catalog', 'pg_toast', 'information_schema')
), strict_domain as (
  select t.oid from pg_catalog.pg_type t where t.typtype = 'd' and t.typnotnull
  union select t.oid from pg_catalog.pg_type t join strict_domain s on t.typbasetype = s.oid where t.typtype = 'd'
), reshaping_type as (
  select t.oid from pg_catalog.pg_type t where t.typtype = 'c' or t.typtype = 'd' and t.typtypmod <> -1
  union select t.oid from reshaping_type s join (
    select b.oid, b.typbasetype as part from pg_catalog.pg_type b
    union all select e.oid, e.typelem from pg_catalog.pg_type e) t on t.part = s.oid
), reshaped as materialized (
  -- Postgres overestimates the recursion and would scan it once for each column.
  select distinct a.atttypid as oid from attribute a join relation c on c.oid = a.attrelid join reshaping_type t on t.oid = a.atttypid
), own_function as materialized (
  select p.oid, p.proname, p.pronamespace, p.prolang, p.provolatile, p.proretset, p.prosecdef, p.proconfig,
    p.prorettype, p.proargtypes, p.proallargtypes, p.proargmodes, p.proargnames, p.pronargs, p.pronargdefaults, p.prosqlbody is not null as parsed
  from pg_catalog.pg_proc p join namespace n on n.oid = p.pronamespace
  where p.prokind = 'f' and p.prorettype not in ('pg_catalog.trigger'::pg_catalog.regtype, 'pg_catalog.event_trigger'::pg_catalog.regtype)
    and not exists (select from pg_catalog.pg_depend d
      where d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass and d.objid = p.oid and d.deptype = 'e')
)
select
  pg_catalog.current_setting('server_version_num')::int as "serverVersion",
  pg_catalog.current_database() as database,
  (select pg_catalog.json_agg(x) from (
    select t.oid::int8 as oid, n.nspname as schema, t.typname as name, t.typtype as kind,
      case when t.typsubscript = 'pg_catalog.array_subscript_handler'::pg_catalog.regproc then t.typelem::int8 else 0 end as element,
      t.typarray::int8 as array, t.typbasetype::int8 as base,
      case when t.typtype = 'e' then (select pg_catalog.json_agg(e.enumlabel order by e.enumsortorder) from pg_catalog.pg_enum e where e.enumtypid = t.oid) end as labels
    from usable_type t join pg_catalog.pg_namespace n on n.oid = t.typnamespace) x) as types,
  (select pg_catalog.json_agg(x) from (
    select n.nspname as schema, o.oprname as symbol, o.oprleft::int8 as left, o.oprright::int8 as right, p.proleakproof as leakproof
    from pg_catalog.pg_operator o
    join pg_catalog.pg_namespace n on n.oid = o.oprnamespace
    join pg_catalog.pg_proc p on p.oid = o.oprcode
    join pg_catalog.pg_type t on t.oid = o.oprleft
    where (n.nspname = 'pg_catalog' or o.oprowner = t.typowner) and o.oprname = any ($1::text[]) and o.oprresult = 'pg_catalog.bool'::pg_catalog.regtype) x) as operators,
  (select pg_catalog.json_agg(x) from (
    select castsource::int8 as from, casttarget::int8 as to
    from pg_catalog.pg_cast where castmethod = 'b' and castcontext = 'i') x) as coercions,
  (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object(
    'oid', c.oid::int8, 'schema', c.nspname, 'name', c.relname, 'kind', c.relkind,
    'comment', ${comment('pg_class', 'c.oid')},
    'columns', (select coalesce(pg_catalog.json_agg(x), '[]') from (
      select a.attname as name, a.atttypid::int8 as type,
        a.attnotnull and (a.attrelid, a.attnum) not in (select n.oid, n.attnum from unchecked_not_null n) as "notNull",
        a.atthasdef or a.attidentity <> ''
          or a.atttypid in (select t.oid from pg_catalog.pg_type t where t.typdefault is not null) as "hasDefault",
        not a.atthasdef and a.attidentity = '' and a.atttypid in (
          select s.oid from strict_domain s join pg_catalog.pg_type t on t.oid = s.oid where t.typdefault is null) as demanded,
        a.attgenerated <> '' or a.attidentity = 'a' or c.relkind in ('v', 'm') and ${unwritable} as generated,
        a.attgenerated <> '' as computed, a.attgenerated = 'v' as virtual,
        (select l.name from used_collation l where l.oid = a.attcollation) as collation,
        a.attcollation in (select l.oid from used_collation l where not l.is_deterministic) as nondeterministic,
        a.attcollation in (select l.oid from used_collation l where l.odd_case) as "oddCase",
        a.atttypmod <> -1 or a.atttypid in (select t.oid from reshaped t) as reshaped,
        ${comment('pg_class', 'c.oid', 'a.attnum')} as comment
      from attribute a where a.attrelid = c.oid order by a.attnum) x),
    'primaryKey', (select coalesce(pg_catalog.json_agg(a.attname order by k.position), '[]')
      from pg_catalog.pg_index i, pg_catalog.unnest(i.indkey) with ordinality k(attnum, position), attribute a
      where i.indrelid = c.oid and i.indisprimary and i.indisvalid and a.attrelid = c.oid and a.attnum = k.attnum
        and k.position <= i.indnkeyatts),
    'uniques', (select coalesce(pg_catalog.json_agg(u.columns), '[]') from (
      select (select pg_catalog.json_agg(a.attname order by k.position)
        from pg_catalog.unnest(i.indkey) with ordinality k(attnum, position), attribute a
        where a.attrelid = c.oid and a.attnum = k.attnum and k.position <= i.indnkeyatts) as columns
      from pg_catalog.pg_index i
      where i.indrelid = c.oid and i.indisunique and i.indisvalid and i.indexprs is null and i.indpred is null) u),
    'uniqueConstraints', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object(
        'name', u.conname,
        'columns', (select pg_catalog.json_agg(a.attname order by k.position)
          from pg_catalog.unnest(u.conkey) with ordinality k(attnum, position), attribute a
          where a.attrelid = c.oid and a.attnum = k.attnum),
        'nullsDistinct', ${nullsDistinct}
      ) order by u.conname), '[]') from pg_catalog.pg_constraint u
      join pg_catalog.pg_index i on i.indexrelid = u.conindid
      where u.conrelid = c.oid and u.contype in ('p', 'u') and not u.condeferrable and i.indisvalid and not i.indisexclusion),
    'hasInsertTriggers', c.oid in (select t.oid from insert_triggered t),
    'hasUpdateTriggers', c.oid in (select t.oid from update_triggered t),
    'indexed', (select coalesce(pg_catalog.json_agg(distinct a.attname), '[]')
      from pg_catalog.pg_index i join attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
      where i.indrelid = c.oid and i.indisvalid and i.indpred is null),
    'foreignKeys', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object(
        'name', f.conname,
        'columns', (select pg_catalog.json_agg(a.attname order by k.position)
          from pg_catalog.unnest(f.conkey) with ordinality k(attnum, position), attribute a
          where a.attrelid = c.oid and a.attnum = k.attnum),
        'table', (select ${key('r')} from relation r where r.oid = f.confrelid),
        'remoteColumns', (select pg_catalog.json_agg(a.attname order by k.position)
          from pg_catalog.unnest(f.confkey) with ordinality k(attnum, position), attribute a
          where a.attrelid = f.confrelid and a.attnum = k.attnum),
        'validated', f.convalidated and not f.condeferrable, 'period', ${period}, 'onDelete', f.confdeltype, 'onUpdate', f.confupdtype
      ) order by f.conname), '[]') from pg_catalog.pg_constraint f
      where f.conrelid = c.oid and f.contype = 'f' and f.conparentid = 0
        and f.confrelid in (select r.oid from relation r)),
    'partitionKey', case when c.relkind = 'p' then ${partitionKey} else '[]' end,
    'sequences', coalesce((select s.sequences from drawn_from s where s.top = c.oid), '[]'),
    'descendants', (with recursive below as (
        select i.inhrelid from pg_catalog.pg_inherits i where i.inhparent = c.oid
        union select i.inhrelid from pg_catalog.pg_inherits i join below b on i.inhparent = b.inhrelid)
      select coalesce(pg_catalog.json_agg(${key('r')}), '[]') from below b join relation r on r.oid = b.inhrelid),
    'view', case when c.relkind in ('v', 'm') then ${view} end
  ) order by c.oid), '[]') from relation c) as tables,
  ${functions} as functions`;
