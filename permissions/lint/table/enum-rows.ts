import { readEnumValues } from '../../model/enums/enum-values.ts';
import { qualified } from '../../text/sql-text.ts';
import type { DatabaseRule } from '../inspection.ts';

/**
 * Reports enum tables that are empty, or that hold values which GraphQL does not allow. Tables that the applier may not
 * read are skipped, because another lint reports them.
 */
export const enumRows: DatabaseRule = async ({ client, seen, report }) => {
  const enums = [...seen.loaded.model.tables.values()].filter((table) => table.enum);
  if (enums.length === 0) return;
  const { rows } = await client.query<{ readable: boolean }>(
    `select pg_catalog.has_table_privilege(t.name, 'SELECT') as readable
     from pg_catalog.unnest($1::text[]) with ordinality t(name, position) order by t.position`,
    [enums.map((table) => qualified(table).text)],
  );
  const readable = enums.filter((_, index) => rows[index]?.readable);
  const { findings } = await readEnumValues(client, readable);
  for (const { code, position, message, hint } of findings) {
    report.warning(code, position, message, hint);
  }
};
