import { qualified } from '../../text/sql-text.ts';
import type { DatabaseRule } from '../inspection.ts';

/**
 * $1: oids of managed tables. Tables above them that have no rules: who reads or writes through those obeys
 * their policies alone (https://www.postgresql.org/docs/current/ddl-inherit.html).
 */
const query = `
with recursive above as (
  select i.inhrelid as child, i.inhparent as parent from pg_catalog.pg_inherits i where i.inhrelid = any ($1::oid[])
  union
  select a.child, i.inhparent from above a join pg_catalog.pg_inherits i on i.inhrelid = a.parent
)
select cn.nspname as "childSchema", c.relname as child, pn.nspname as schema, p.relname as name,
  not p.relrowsecurity and exists (
    select 1 from (
      select x.grantee, x.privilege_type from pg_catalog.aclexplode(p.relacl) x
      union all select x.grantee, x.privilege_type from pg_catalog.pg_attribute a cross join lateral pg_catalog.aclexplode(a.attacl) x
      where a.attrelid = p.oid and not a.attisdropped
    ) x where x.grantee = 0 and x.privilege_type in ('SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE')) as open
from above a
join pg_catalog.pg_class c on c.oid = a.child join pg_catalog.pg_namespace cn on cn.oid = c.relnamespace
join pg_catalog.pg_class p on p.oid = a.parent join pg_catalog.pg_namespace pn on pn.oid = p.relnamespace
where a.parent <> all ($1::oid[]) and p.relkind in ('r', 'p')
order by 1, 2, 3, 4`;

/** Tables without rules through which the rows of a table with rules are reached. */
export const unmanagedParents: DatabaseRule = async ({ client, seen, report }) => {
  const { rows } = await client.query<{
    childSchema: string;
    child: string;
    schema: string;
    name: string;
    open: boolean;
  }>(query, [seen.tables]);
  for (const row of rows) {
    const through = `${row.schema}.${row.name} has no rules, and the rows of ${row.childSchema}.${row.child} are reached through it`;
    const revoke = `revoke all on ${qualified(row).text} from public`;
    if (row.open) {
      const hint = `write its rules, or run: ${revoke}`;
      report.error('RG_UNMANAGED_PARENT', undefined, `${through} by PUBLIC`, hint);
    } else {
      const hint = 'write its rules too: those of a child do not hold for who asks the parent';
      report.warning('RG_UNMANAGED_PARENT', undefined, through, hint);
    }
  }
};
