import { qualified } from '../../text/sql-text.ts';
import { type DatabaseRule, managedSchemas } from '../inspection.ts';

/**
 * $1: oids of managed tables, $2: schemas that hold them. What stands beside them open to PUBLIC; what apply
 * finds granted to a compiled role it takes away itself. Tables of extensions are theirs to open.
 */
const query = `
select n.nspname as schema, c.relname as name, c.relkind as kind,
  pg_catalog.string_agg(distinct pg_catalog.lower(x.privilege_type), ', ' order by pg_catalog.lower(x.privilege_type)) as privileges
from pg_catalog.pg_class c
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
cross join lateral (
  select a.grantee, a.privilege_type from pg_catalog.aclexplode(c.relacl) a
  union all select a.grantee, a.privilege_type from pg_catalog.pg_attribute k cross join lateral pg_catalog.aclexplode(k.attacl) a
  where k.attrelid = c.oid and not k.attisdropped
) x
where n.nspname = any ($2::text[]) and c.relkind in ('r', 'p', 'f', 'S') and not c.relrowsecurity
  and c.oid <> all ($1::oid[]) and x.grantee = 0
  and x.privilege_type in ('SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'USAGE')
  and not exists (select 1 from pg_catalog.pg_depend d
    where d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass and d.objid = c.oid and d.deptype = 'e')
group by 1, 2, 3 order by 1, 2`;

/** Tables without a file and without row security, and sequences, that everybody may use beside those with rules. */
export const unmanagedTables: DatabaseRule = async ({ client, seen, report }) => {
  const { rows } = await client.query<{
    schema: string;
    name: string;
    kind: 'r' | 'p' | 'f' | 'S';
    privileges: string;
  }>(query, [seen.tables, managedSchemas(seen)]);
  for (const row of rows) {
    const on = `${row.kind === 'S' ? 'sequence ' : ''}${qualified(row).text}`;
    const revoke = `run: revoke all on ${on} from public`;
    const may = `PUBLIC may ${row.privileges} on`;
    if (row.kind === 'S') {
      report.warning(
        'RG_EXTRA_PRIVILEGE',
        undefined,
        `${may} sequence ${row.schema}.${row.name}, which tells how many rows there were`,
        revoke,
      );
      continue;
    }
    const foreign = row.kind === 'f' ? ', a foreign table' : '';
    report.warning(
      'RG_UNMANAGED_TABLE',
      undefined,
      `${may} ${row.schema}.${row.name}${foreign}, which has neither rules nor row security`,
      row.kind === 'f' ? revoke : `write a file with its rules, or ${revoke}`,
    );
  }
};
