import type { DatabaseRule } from '../inspection.ts';

/** $1: oids of managed tables. */
const query = `
select n.nspname as schema, c.relname as table, p.polname as name, p.polpermissive as permissive
from pg_catalog.pg_policy p
join pg_catalog.pg_class c on c.oid = p.polrelid
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where c.oid = any ($1::oid[]) and p.polname not like 'rowgate/%'
order by 1, 2, 3`;

/** Policies that Rowgate did not make, on tables that it manages. */
export const foreignPolicies: DatabaseRule = async ({ client, seen, report }) => {
  const { rows } = await client.query<{
    schema: string;
    table: string;
    name: string;
    permissive: boolean;
  }>(query, [seen.tables]);
  for (const row of rows) {
    const kind = row.permissive
      ? 'opens rows beside the rules'
      : 'hides rows from the rules, which turns every "not" over them around';
    report.error(
      'RG_FOREIGN_POLICY',
      undefined,
      `policy "${row.name}" on ${row.schema}.${row.table} is not Rowgate's: it ${kind}`,
      `express it as a rule and run: drop policy "${row.name}" on "${row.schema}"."${row.table}"`,
    );
  }
};
