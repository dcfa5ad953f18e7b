import { lasting } from '../../objects/state/inspect-context.ts';
import { qualified } from '../../text/sql-text.ts';
import type { DatabaseRule } from '../inspection.ts';

/**
 * $1: oids of managed tables. Views over them, however deep, that PUBLIC may use with the rights of their owner.
 * A materialized view is a copy that no policy follows. From those with rules of their own apply takes such rights.
 */
const query = `
with recursive reader as (
  select v.oid from pg_catalog.pg_depend d
  join pg_catalog.pg_rewrite r on r.oid = d.objid
  join pg_catalog.pg_class v on v.oid = r.ev_class and v.relkind in ('v', 'm')
  where d.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass
    and d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass and d.refobjid = any ($1::oid[])
  union
  select v.oid from reader x
  join pg_catalog.pg_depend d on d.refobjid = x.oid and d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass
    and d.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass
  join pg_catalog.pg_rewrite r on r.oid = d.objid
  join pg_catalog.pg_class v on v.oid = r.ev_class and v.relkind in ('v', 'm')
), open as (
  select v.oid, v.relnamespace, v.relname, v.relkind, x.privilege_type as privilege
  from reader join pg_catalog.pg_class v on v.oid = reader.oid
  cross join lateral (
    select a.grantee, a.privilege_type from pg_catalog.aclexplode(v.relacl) a
    union all select a.grantee, a.privilege_type from pg_catalog.pg_attribute c cross join lateral pg_catalog.aclexplode(c.attacl) a
    where c.attrelid = v.oid and not c.attisdropped
  ) x
  where x.grantee = 0 and v.oid <> all ($1::oid[]) and not exists (
    select 1 from pg_catalog.pg_options_to_table(v.reloptions) o where o.option_name = 'security_invoker' and o.option_value::bool)
)
select n.nspname as schema, o.relname as name, bool_or(o.privilege = 'SELECT') as reads,
  bool_or(o.relkind = 'v' and pg_catalog.pg_relation_is_updatable(o.oid, true)
    & case o.privilege when 'INSERT' then 8 when 'UPDATE' then 4 when 'DELETE' then 16 else 0 end <> 0) as writes
from open o join pg_catalog.pg_namespace n on n.oid = o.relnamespace and n.nspname <> 'rowgate_policy' and ${lasting('n.nspname')}
group by 1, 2 order by 1, 2`;

/** Views obey the policies of their owner, who obeys none. */
export const openViews: DatabaseRule = async ({ client, seen, report }) => {
  const { rows } = await client.query<{
    schema: string;
    name: string;
    reads: boolean;
    writes: boolean;
  }>(query, [seen.tables]);
  for (const row of rows) {
    const view = `${row.schema}.${row.name}`;
    const revoke = `run: revoke all on ${qualified(row).text} from public`;
    if (row.reads) {
      report.warning(
        'RG_OPEN_VIEW',
        undefined,
        `PUBLIC may read ${view}, which shows rows of a table with rules to everybody`,
        revoke,
      );
    }
    if (row.writes) {
      report.error(
        'RG_OPEN_VIEW',
        undefined,
        `PUBLIC may write to ${view}, and by it to a table with rules, around them`,
        revoke,
      );
    }
  }
};
