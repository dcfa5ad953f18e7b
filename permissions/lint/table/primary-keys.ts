import type { DatabaseRule } from '../inspection.ts';

/** Reports tables without a primary key, because neither a client nor an event can identify a single row of them. */
export const primaryKeys: DatabaseRule = async ({ seen, report }) => {
  for (const table of seen.loaded.model.tables.values()) {
    if (table.primaryKey.length > 0 || table.view) continue;
    report.warning(
      'RG_NO_PRIMARY_KEY',
      table.position,
      `${table.schema}.${table.name} has no primary key, so clients cannot query a single row by key`,
      'add one; a uuid does not reveal the number of rows',
    );
  }
};
