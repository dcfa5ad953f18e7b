import { ident } from '../../text/sql-text.ts';
import { type DatabaseRule, ourRoles } from '../inspection.ts';

/** $1: our roles, of whose possessions another rule tells. Superusers gain nothing by owning what they could change anyway. */
const query = `
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
order by 1`;

/** Rowgate's own functions, tables and schemas in the hands of somebody who can rewrite them. */
export const ownObjects: DatabaseRule = async ({ client, seen, report }) => {
  const { rows } = await client.query<{ name: string; owner: string; proper: string }>(query, [
    ourRoles(seen),
  ]);
  for (const { name, owner, proper } of rows) {
    report.error(
      'RG_EXTRA_PRIVILEGE',
      undefined,
      `${name}, which every rule relies on, belongs to "${owner}"`,
      `as a superuser: alter ${name} owner to ${ident(proper).text}`,
    );
  }
};
