import type { DatabaseRule } from '../inspection.ts';

/** $1: oids of managed tables. Row triggers that run before the presets do. */
const query = `
select n.nspname as schema, c.relname as table, t.tgname as name
from pg_catalog.pg_trigger t
join pg_catalog.pg_class c on c.oid = t.tgrelid
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where t.tgrelid = any ($1::oid[]) and not t.tgisinternal and t.tgtype & 3 = 3 and t.tgname < '!rowgate/preset' collate "C"
order by 1, 2, 3`;

/** Triggers that see rows before the presets filled them. */
export const earlyTriggers: DatabaseRule = async ({ client, seen, report }) => {
  const { rows } = await client.query<{ schema: string; table: string; name: string }>(query, [
    seen.tables,
  ]);
  for (const row of rows) {
    report.warning(
      'RG_FOREIGN_TRIGGER',
      undefined,
      `trigger "${row.name}" on ${row.schema}.${row.table} runs before the presets and sees rows without them`,
      'give it a name that begins with a letter',
    );
  }
};
