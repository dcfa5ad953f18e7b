import { tablesOfOthers } from '../../rights/table-owners.ts';
import { ident } from '../../text/sql-text.ts';
import { type DatabaseRule, ourRoles } from '../inspection.ts';
import { queryLint } from '../query-lint.ts';

/**
 * $1: Rowgate's roles. The query returns objects of this database that these roles own, except generated views and
 * functions. Large objects and default privileges are skipped: any member of a role can create them in the name of the
 * role, and neither is a way around a rule.
 */
const ownedQuery = `
select g.rolname as role, pg_catalog.pg_describe_object(d.classid, d.objid, d.objsubid) as object
from pg_catalog.pg_shdepend d
join pg_catalog.pg_roles g on g.oid = d.refobjid
left join pg_catalog.pg_class c on d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass and c.oid = d.objid
left join pg_catalog.pg_namespace n on n.oid = c.relnamespace
left join pg_catalog.pg_proc p on d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass and p.oid = d.objid
left join pg_catalog.pg_namespace pn on pn.oid = p.pronamespace
where d.refclassid = 'pg_catalog.pg_authid'::pg_catalog.regclass and d.deptype = 'o' and g.rolname = any ($1::text[])
  and d.dbid = (select oid from pg_catalog.pg_database where datname = pg_catalog.current_database())
  and n.nspname is distinct from 'rowgate_policy'
  and not coalesce(n.nspname = 'rowgate_api' and c.relname ~ '^(computed|entry|key|rows|write)_', false)
  and not coalesce(pn.nspname = 'rowgate_api' and p.proname ~ '^(may_update|may_see|in_the_way|function|field)_', false)
  and d.classid not in ('pg_catalog.pg_largeobject'::pg_catalog.regclass, 'pg_catalog.pg_default_acl'::pg_catalog.regclass)
  and coalesce((pg_catalog.pg_identify_object(d.classid, d.objid, d.objsubid)).schema, '') not like 'pg\\_temp%'
order by 1, 2`;

/** Reports objects that Rowgate's roles own, because no policy limits an owner. */
export const ownedObjects = queryLint<{ role: string; object: string }>(
  { query: ownedQuery, values: (seen) => [ourRoles(seen)] },
  {
    severity: 'error',
    code: 'RG_EXTRA_PRIVILEGE',
    message: ({ role, object }) => `the Postgres role "${role}" owns ${object}`,
    hint: () => 'give it to the owner of the tables: owners obey no policy',
  },
);

/**
 * $1: Rowgate's roles, which ownedObjects covers. The query returns Rowgate's own objects that belong to a foreign
 * role. It skips superusers and members of the owner, because they may change every object anyway.
 */
const ownQuery = `
with thing as (
  select 'function ' || n.nspname || '.' || p.proname || '(' || pg_catalog.oidvectortypes(p.proargtypes) || ')' as name, p.proowner as owner
  from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
  where n.nspname in ('rowgate', 'rowgate_api', 'rowgate_policy') and p.prokind = 'f'
  union all
  select 'table rowgate.' || c.relname, c.relowner
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where n.nspname = 'rowgate' and c.relkind in ('r', 'p')
  union all
  select 'schema ' || n.nspname, n.nspowner
  from pg_catalog.pg_namespace n where n.nspname in ('rowgate_api', 'rowgate_policy')
)
select t.name, o.rolname as owner, r.rolname as proper
from thing t
join pg_catalog.pg_roles o on o.oid = t.owner
join pg_catalog.pg_namespace n on n.nspname = 'rowgate'
join pg_catalog.pg_roles r on r.oid = n.nspowner
where t.owner <> n.nspowner and not o.rolsuper and o.rolname <> all ($1::text[])
  and not pg_catalog.pg_has_role(t.owner, n.nspowner, 'MEMBER')
order by 1`;

/**
 * Reports Rowgate's own functions, tables and schemas that belong to a foreign role, because their owner can change
 * them.
 */
export const ownObjects = queryLint<{ name: string; owner: string; proper: string }>(
  { query: ownQuery, values: (seen) => [ourRoles(seen)] },
  {
    severity: 'error',
    code: 'RG_EXTRA_PRIVILEGE',
    message: ({ name, owner }) => `${name}, which every rule relies on, belongs to "${owner}"`,
    hint: ({ name, proper }) => `as a superuser: alter ${name} owner to ${ident(proper).text}`,
  },
);

/** Reports tables that the applier may not alter, because apply could not create policies on them. */
export const foreignTables: DatabaseRule = async ({ client, seen, report }) => {
  const { model } = seen.loaded;
  for (const finding of await tablesOfOthers(client, seen.tables, { model })) report.add(finding);
};
