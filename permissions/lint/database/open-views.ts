import type { DatabaseRule } from './inspection.ts';

/** $1: oids of managed tables. Views over them that PUBLIC may read with the rights of their owner. */
const query = `
select distinct n.nspname as schema, v.relname as view
from pg_catalog.pg_depend d
join pg_catalog.pg_rewrite r on r.oid = d.objid and d.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass
join pg_catalog.pg_class v on v.oid = r.ev_class and v.relkind in ('v', 'm')
join pg_catalog.pg_namespace n on n.oid = v.relnamespace and n.nspname <> 'rowgate_policy'
where d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass and d.refobjid = any ($1::oid[])
  and not coalesce(v.reloptions, '{}')::text[] && array['security_invoker=true', 'security_invoker=on', 'security_invoker=1']
  and (exists (select 1 from pg_catalog.aclexplode(v.relacl) x where x.grantee = 0 and x.privilege_type = 'SELECT')
    or exists (select 1 from pg_catalog.pg_attribute a cross join lateral pg_catalog.aclexplode(a.attacl) x
      where a.attrelid = v.oid and x.grantee = 0 and x.privilege_type = 'SELECT'))
order by 1, 2`;

/** Views obey the policies of their owner, who obeys none. */
export const openViews: DatabaseRule = async ({ client, prepared, report }) => {
  const { rows } = await client.query<{ schema: string; view: string }>(query, [prepared.tables]);
  for (const { schema, view } of rows) {
    report.warning(
      'RG_EXTRA_PRIVILEGE',
      undefined,
      `PUBLIC may read ${schema}.${view}, which shows rows of a table with rules to everybody`,
      `run: revoke all on "${schema}"."${view}" from public`,
    );
  }
};
