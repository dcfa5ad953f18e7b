/** Symbols of the operators that rules can mean. */
const symbols = [
  '=',
  '<>',
  '<',
  '<=',
  '>',
  '>=',
  '~~',
  '!~~',
  '~~*',
  '!~~*',
  '~',
  '!~',
  '~*',
  '!~*',
  '@>',
  '<@',
  '?',
  '?|',
  '?&',
];

/** A table's key as tableKey() of catalog.ts makes it. */
const key = (alias: string) =>
  `${escaped(`${alias}.nspname`)} || '.' || ${escaped(`${alias}.relname`)}`;
const escaped = (name: string) => `replace(replace(${name}, E'\\\\', E'\\\\\\\\'), '.', E'\\\\.')`;

export const catalogParameters = [symbols];

/** Words joined by hyphens, as keys are written after `->>` and in paths. */
const headerPattern = `'[''"{]([A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)+)[''"}]'`;

/** Names are bound where a body is parsed beforehand or compiled, or where the function brings a search_path along. */
const functions = `(select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object(
    'schema', n.nspname, 'name', p.proname, 'comment', pg_catalog.obj_description(p.oid, 'pg_proc'),
    'volatility', p.provolatile, 'result', p.prorettype::int8, 'returnsSet', p.proretset, 'definer', p.prosecdef,
    'pinned', l.lanname in ('c', 'internal') or p.prosqlbody is not null
      or exists (select from pg_catalog.unnest(p.proconfig) s(setting) where s.setting like 'search\\_path=%'),
    'headers', (select coalesce(pg_catalog.json_agg(distinct pg_catalog.lower(m.words[1])), '[]')
      from pg_catalog.regexp_matches(case when p.proargtypes::oid[] && array['pg_catalog.json', 'pg_catalog.jsonb']::pg_catalog.regtype[]::oid[]
        then pg_catalog.pg_get_functiondef(p.oid) else '' end, ${headerPattern}, 'g') m(words)),
    'arguments', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object(
        'name', coalesce(p.proargnames[a.position], ''), 'type', a.type::int8, 'mode', coalesce(p.proargmodes[a.position], 'i'),
        'hasDefault', a.position > coalesce(pg_catalog.array_length(p.proallargtypes, 1), p.pronargs) - p.pronargdefaults
          and coalesce(p.proargmodes[a.position], 'i') in ('i', 'b')
      ) order by a.position), '[]')
      from pg_catalog.unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) with ordinality a(type, position))
  ) order by n.nspname, p.proname, p.oid), '[]')
  from pg_catalog.pg_proc p
  join namespace n on n.oid = p.pronamespace
  join pg_catalog.pg_language l on l.oid = p.prolang
  where p.prokind = 'f' and p.prorettype not in ('pg_catalog.trigger'::pg_catalog.regtype, 'pg_catalog.event_trigger'::pg_catalog.regtype)
    and not exists (select from pg_catalog.unnest(coalesce(p.proallargtypes, p.proargtypes::oid[]) || p.prorettype) used(type)
      where used.type not in (select t.oid from usable_type t))
    and not exists (select from pg_catalog.pg_depend d
      where d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass and d.objid = p.oid and d.deptype = 'e'))`;

/**
 * One row with one JSON column per member of CatalogData; $1: operator symbols. Outside pg_catalog only
 * operators of the type's own owner count: anybody else may have planted theirs.
 */
export const catalogQuery = `
with namespace as (
  select n.oid, n.nspname from pg_catalog.pg_namespace n
  where n.nspname not like 'pg\\_%' and n.nspname not in ('information_schema', 'rowgate', 'rowgate_api', 'rowgate_events', 'rowgate_policy')
), relation as (
  select c.*, n.nspname from pg_catalog.pg_class c join namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'v', 'm', 'f')
), attribute as not materialized (
  select a.attrelid, a.attnum, a.attname, a.atttypid, a.attnotnull, a.atthasdef, a.attidentity, a.attgenerated
  from pg_catalog.pg_attribute a where a.attnum > 0 and not a.attisdropped
), usable_type as (
  select t.* from pg_catalog.pg_type t
  left join pg_catalog.pg_class c on c.oid = t.typrelid
  left join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where t.typrelid = 0 or c.relkind = 'c' or n.nspname not in ('pg_catalog', 'pg_toast', 'information_schema')
)
select
  pg_catalog.current_setting('server_version_num')::int as "serverVersion",
  pg_catalog.current_database() as database,
  (select pg_catalog.json_agg(pg_catalog.json_build_object(
    'oid', t.oid::int8, 'schema', n.nspname, 'name', t.typname, 'kind', t.typtype,
    'element', case when t.typsubscript = 'pg_catalog.array_subscript_handler'::pg_catalog.regproc then t.typelem::int8 else 0 end,
    'array', t.typarray::int8, 'base', t.typbasetype::int8,
    'labels', (select pg_catalog.json_agg(e.enumlabel order by e.enumsortorder) from pg_catalog.pg_enum e where e.enumtypid = t.oid)
  )) from usable_type t join pg_catalog.pg_namespace n on n.oid = t.typnamespace) as types,
  (select pg_catalog.json_agg(pg_catalog.json_build_object(
    'schema', n.nspname, 'symbol', o.oprname, 'left', o.oprleft::int8, 'right', o.oprright::int8, 'leakproof', p.proleakproof
  )) from pg_catalog.pg_operator o
    join pg_catalog.pg_namespace n on n.oid = o.oprnamespace
    join pg_catalog.pg_proc p on p.oid = o.oprcode
    join pg_catalog.pg_type t on t.oid = o.oprleft
    where (n.nspname = 'pg_catalog' or o.oprowner = t.typowner) and o.oprname = any ($1::text[]) and o.oprresult = 'pg_catalog.bool'::pg_catalog.regtype) as operators,
  (select pg_catalog.json_agg(pg_catalog.json_build_object('from', castsource::int8, 'to', casttarget::int8))
    from pg_catalog.pg_cast where castmethod = 'b' and castcontext = 'i') as coercions,
  (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object(
    'oid', c.oid::int8, 'schema', c.nspname, 'name', c.relname, 'kind', c.relkind,
    'comment', pg_catalog.obj_description(c.oid, 'pg_class'),
    'columns', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object(
        'name', a.attname, 'type', a.atttypid::int8, 'notNull', a.attnotnull,
        'hasDefault', a.atthasdef or a.attidentity <> '',
        'generated', a.attgenerated <> '' or a.attidentity = 'a', 'computed', a.attgenerated <> '', 'virtual', a.attgenerated = 'v',
        'comment', pg_catalog.col_description(c.oid, a.attnum)
      ) order by a.attnum), '[]') from attribute a where a.attrelid = c.oid),
    'primaryKey', (select coalesce(pg_catalog.json_agg(a.attname order by k.position), '[]')
      from pg_catalog.pg_index i, pg_catalog.unnest(i.indkey) with ordinality k(attnum, position), attribute a
      where i.indrelid = c.oid and i.indisprimary and a.attrelid = c.oid and a.attnum = k.attnum),
    'uniques', (select coalesce(pg_catalog.json_agg(u.columns), '[]') from (
      select (select pg_catalog.json_agg(a.attname order by k.position)
        from pg_catalog.unnest(i.indkey) with ordinality k(attnum, position), attribute a
        where a.attrelid = c.oid and a.attnum = k.attnum and k.position <= i.indnkeyatts) as columns
      from pg_catalog.pg_index i
      where i.indrelid = c.oid and i.indisunique and i.indexprs is null and i.indpred is null) u),
    'uniqueConstraints', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object(
        'name', u.conname,
        'columns', (select pg_catalog.json_agg(a.attname order by k.position)
          from pg_catalog.unnest(u.conkey) with ordinality k(attnum, position), attribute a
          where a.attrelid = c.oid and a.attnum = k.attnum)
      ) order by u.conname), '[]') from pg_catalog.pg_constraint u
      join pg_catalog.pg_index i on i.indexrelid = u.conindid
      where u.conrelid = c.oid and u.contype in ('p', 'u') and not u.condeferrable and not i.indisexclusion),
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
        'validated', f.convalidated, 'onDelete', f.confdeltype, 'onUpdate', f.confupdtype
      ) order by f.conname), '[]') from pg_catalog.pg_constraint f
      where f.conrelid = c.oid and f.contype = 'f' and f.conparentid = 0
        and f.confrelid in (select r.oid from relation r)),
    'sequences', (select coalesce(pg_catalog.json_agg(distinct pg_catalog.jsonb_build_object('schema', sn.nspname, 'name', s.relname)), '[]')
      from pg_catalog.pg_attrdef d
      join pg_catalog.pg_depend dep on dep.classid = 'pg_catalog.pg_attrdef'::pg_catalog.regclass and dep.objid = d.oid
        and dep.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass
      join pg_catalog.pg_class s on s.oid = dep.refobjid and s.relkind = 'S'
      join pg_catalog.pg_namespace sn on sn.oid = s.relnamespace
      where d.adrelid = c.oid),
    'descendants', (with recursive below as (
        select i.inhrelid from pg_catalog.pg_inherits i where i.inhparent = c.oid
        union select i.inhrelid from pg_catalog.pg_inherits i join below b on i.inhparent = b.inhrelid)
      select coalesce(pg_catalog.json_agg(${key('r')}), '[]') from below b join relation r on r.oid = b.inhrelid)
  ) order by c.oid), '[]') from relation c) as tables,
  ${functions} as functions`;
