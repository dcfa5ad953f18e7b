import { type NamedFunction, namedFunctions } from '../../model/functions/named-functions.ts';
import { ident } from '../../text/sql-text.ts';
import { managedSchemas } from '../inspection.ts';
import { queryLint } from '../query-lint.ts';

/**
 * $1: functions that the metadata names, as JSON. The query returns functions that can be misused in one of two ways.
 * The owner of a function may change the function at any time, and in rules it runs with the rights of the applier.
 * When the search_path of a function does not end in pg_temp, Postgres searches temporary tables first, even before
 * pg_catalog.
 */
const calledQuery = `
select f.label, p.oid::pg_catalog.regprocedure::text as target, g.rolname as owner, o.rolname as "tableOwner",
  not g.rolsuper and not pg_catalog.pg_has_role(p.proowner, c.relowner, 'USAGE') and p.proowner <> own.nspowner
    and p.proowner <> (select b.datdba from pg_catalog.pg_database b where b.datname = pg_catalog.current_database()) as foreign,
  p.prosqlbody is null and exists (select from pg_catalog.unnest(p.proconfig) s(setting)
    where s.setting like 'search\\_path=%' and s.setting !~ '\\mpg_temp"?$') as temporary
from pg_catalog.jsonb_to_recordset($1::pg_catalog.jsonb) as f(label text, "tableSchema" text, "table" text, schema text, name text, types pg_catalog.jsonb)
join pg_catalog.pg_namespace tn on tn.nspname = f."tableSchema"
join pg_catalog.pg_class c on c.relnamespace = tn.oid and c.relname = f."table"
join pg_catalog.pg_roles o on o.oid = c.relowner
join pg_catalog.pg_namespace n on n.nspname = f.schema
join pg_catalog.pg_proc p on p.pronamespace = n.oid and p.proname = f.name
join pg_catalog.pg_roles g on g.oid = p.proowner
join pg_catalog.pg_namespace own on own.nspname = 'rowgate'
where f.types = (
  select coalesce(pg_catalog.jsonb_agg(pg_catalog.jsonb_build_array(yn.nspname, y.typname) order by a.position), '[]')
  from pg_catalog.unnest(p.proargtypes) with ordinality a(type, position)
  join pg_catalog.pg_type y on y.oid = a.type join pg_catalog.pg_namespace yn on yn.oid = y.typnamespace)
order by 1`;

/**
 * Reports functions of computed fields and root fields that a foreign role owns, or in which a caller's temporary table
 * can take the place of another table.
 */
export const calledFunctions = queryLint<{
  label: string;
  target: string;
  owner: string;
  tableOwner: string;
  foreign: boolean;
  temporary: boolean;
}>(
  {
    query: calledQuery,
    values: ({ loaded }) => {
      const named = namedFunctions(loaded.model).map(describe);
      return named.length === 0 ? undefined : [JSON.stringify(named)];
    },
  },
  {
    when: ({ foreign }) => foreign,
    severity: 'error',
    code: 'RG_FOREIGN_FUNCTION',
    message: ({ label, target, owner }) =>
      `${label} calls ${target}, which "${owner}" may change at any time`,
    hint: ({ target, tableOwner }) =>
      `run: alter function ${target} owner to ${ident(tableOwner).text}`,
  },
  {
    when: ({ temporary }) => temporary,
    severity: 'warning',
    code: 'RG_SEARCH_PATH',
    message: ({ label, target }) =>
      `${label} calls ${target}, which finds temporary tables of its caller before any other`,
    hint: ({ target }) =>
      `run: alter function ${target} set search_path = … , pg_temp; naming the schemas that its body needs`,
  },
);

function describe({ label, called, table }: NamedFunction) {
  const { schema, name } = called.function;
  const types = called.arguments.map(({ type }) => [type.schema, type.name]);
  return { label, schema, name, types, tableSchema: table.schema, table: table.name };
}

/**
 * $1: schemas that hold managed tables. The query returns the `security definer` functions in them. `open`: PUBLIC may
 * call the function; trigger functions never count as open, because no statement can call them directly. `temporary`:
 * Postgres searches temporary tables first for the names in the body, because the search_path does not end in pg_temp
 * (https://www.postgresql.org/docs/current/sql-createfunction.html#SQL-CREATEFUNCTION-SECURITY). With `search_path=""`,
 * it finds only qualified names.
 */
const definerQuery = `
select p.oid::pg_catalog.regprocedure::text as target, g.rolname as owner,
  p.prorettype not in ('pg_catalog.trigger'::pg_catalog.regtype, 'pg_catalog.event_trigger'::pg_catalog.regtype)
    and exists (select 1 from pg_catalog.aclexplode(coalesce(p.proacl, pg_catalog.acldefault('f', p.proowner))) x
      where x.grantee = 0 and x.privilege_type = 'EXECUTE') as open,
  s.path is null as unpinned, s.path !~ '(\\mpg_temp"?$|^("")?$)' as temporary
from pg_catalog.pg_proc p
join pg_catalog.pg_namespace n on n.oid = p.pronamespace
join pg_catalog.pg_roles g on g.oid = p.proowner
left join lateral (select pg_catalog.substr(one, 13) as path from pg_catalog.unnest(p.proconfig) one where one like 'search\\_path=%') s on true
where p.prosecdef and n.nspname = any ($1::text[])
  and not exists (select 1 from pg_catalog.pg_depend d
    where d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass and d.objid = p.oid and d.deptype = 'e')
order by 1`;

/** Reports functions that run with the rights of their owner, because no policy applies to what they read and write. */
export const definerFunctions = queryLint<{
  target: string;
  owner: string;
  open: boolean;
  unpinned: boolean;
  temporary: boolean | null;
}>(
  { query: definerQuery, values: (seen) => [managedSchemas(seen)] },
  {
    when: ({ open }) => open,
    severity: 'warning',
    code: 'RG_DEFINER_FUNCTION',
    message: ({ target, owner }) =>
      `PUBLIC may call ${target}, which acts with the rights of "${owner}", around all rules`,
    hint: ({ target }) =>
      `let it act with the rights of its caller, or run: revoke execute on routine ${target} from public`,
  },
  {
    when: ({ unpinned, temporary }) => unpinned || temporary === true,
    severity: 'warning',
    code: 'RG_SEARCH_PATH',
    message: ({ target, owner, unpinned }) => {
      const finds = unpinned
        ? 'finds names by the search_path of its caller'
        : 'finds temporary tables of its caller before any other';
      return `${target} acts with the rights of "${owner}" and ${finds}`;
    },
    hint: ({ target }) =>
      `run: alter routine ${target} set search_path = … , pg_temp; naming the schemas that its body needs`,
  },
);

/**
 * $1: oids of managed tables. The query returns functions that run when a row is written: in triggers, defaults,
 * generated columns, checks and index expressions. Their owner may change them at any time, and could so act as the
 * writing role. Before Postgres 15, the functions of a generated column are recorded as dependencies of its table.
 */
const foreignQuery = `
with code as (
  select d.adrelid as relation, 'pg_catalog.pg_attrdef'::pg_catalog.regclass as class, d.oid from pg_catalog.pg_attrdef d where d.adrelid = any ($1::oid[])
  union all select k.conrelid, 'pg_catalog.pg_constraint'::pg_catalog.regclass, k.oid from pg_catalog.pg_constraint k where k.conrelid = any ($1::oid[])
  union all select t.tgrelid, 'pg_catalog.pg_trigger'::pg_catalog.regclass, t.oid from pg_catalog.pg_trigger t
    where t.tgrelid = any ($1::oid[]) and not t.tgisinternal
  union all select i.indrelid, 'pg_catalog.pg_class'::pg_catalog.regclass, i.indexrelid from pg_catalog.pg_index i where i.indrelid = any ($1::oid[])
  union all select c.oid, 'pg_catalog.pg_class'::pg_catalog.regclass, c.oid from pg_catalog.pg_class c where c.oid = any ($1::oid[])
)
select distinct n.nspname as schema, c.relname as table, p.oid::pg_catalog.regprocedure::text as target, g.rolname as owner, o.rolname as "tableOwner"
from code
join pg_catalog.pg_depend d on d.classid = code.class and d.objid = code.oid and d.refclassid = 'pg_catalog.pg_proc'::pg_catalog.regclass
join pg_catalog.pg_proc p on p.oid = d.refobjid
join pg_catalog.pg_roles g on g.oid = p.proowner
join pg_catalog.pg_class c on c.oid = code.relation
join pg_catalog.pg_roles o on o.oid = c.relowner
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where not pg_catalog.pg_has_role(p.proowner, c.relowner, 'USAGE') and g.rolname <> current_user
  and p.proowner <> (select b.datdba from pg_catalog.pg_database b where b.datname = pg_catalog.current_database())
order by 1, 2, 3`;

/**
 * Reports functions of foreign roles that run when a row is written to a table with rules. They run with the rights of
 * the writing role, so their owner could use these rights.
 */
export const foreignFunctions = queryLint<{
  schema: string;
  table: string;
  target: string;
  owner: string;
  tableOwner: string;
}>(
  { query: foreignQuery, values: ({ tables }) => [tables] },
  {
    severity: 'warning',
    code: 'RG_FOREIGN_FUNCTION',
    message: ({ schema, table, target, owner }) =>
      `writes to ${schema}.${table} call ${target}, which "${owner}" may change at any time`,
    hint: ({ target, tableOwner }) =>
      `run: alter function ${target} owner to ${ident(tableOwner).text}`,
  },
);

const leakproofQuery = `
select p.oid::pg_catalog.regprocedure::text as target
from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
where p.proleakproof and n.nspname not in ('pg_catalog', 'information_schema')
  and not exists (select 1 from pg_catalog.pg_depend d
    where d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass and d.objid = p.oid and d.deptype = 'e')
order by 1`;

/**
 * Reports user-defined functions that are marked leakproof. Postgres trusts them not to reveal their arguments, and so
 * may run them on rows before a policy hides these.
 */
export const leakproofFunctions = queryLint<{ target: string }>(
  { query: leakproofQuery },
  {
    severity: 'warning',
    code: 'RG_LEAKPROOF',
    message: ({ target }) =>
      `${target} is marked leakproof: Postgres shows it rows that rules hide`,
    hint: ({ target }) =>
      `unless it reveals its arguments nowhere, not even in errors, run: alter function ${target} not leakproof`,
  },
);
