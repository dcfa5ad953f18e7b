import { type Catalog, tableKey } from '../catalog/catalog.ts';
import type { ImportReport } from './hasura/import-report.ts';
import type { Imported, ImportedRule, ImportedTable } from './hasura/imported.ts';
import { tableLabel } from './hasura/table-name.ts';

/**
 * Removes generated columns from the columns that rules let clients write. Hasura ignores such columns there, but
 * Rowgate refuses them.
 */
export function withoutGeneratedColumns(
  imported: Imported,
  catalog: Catalog,
  report: ImportReport,
): Imported {
  return {
    ...imported,
    tables: imported.tables.map((table) => {
      const generated = generatedOf(table, catalog);
      if (generated.size === 0) return table;
      const label = tableLabel(table);
      const rules = table.rules.map((rule) => reduced(rule, label, generated, report));
      return { ...table, rules };
    }),
  };
}

function generatedOf({ schema, name }: ImportedTable, catalog: Catalog): ReadonlySet<unknown> {
  const columns = catalog.tables.get(tableKey(schema, name))?.columns ?? [];
  return new Set(columns.filter((column) => column.generated).map((column) => column.name));
}

function reduced(
  rule: ImportedRule,
  label: string,
  generated: ReadonlySet<unknown>,
  report: ImportReport,
): ImportedRule {
  const columns = rule.body.get('columns');
  if (rule.command === 'select' || !Array.isArray(columns)) return rule;
  const remaining = columns.filter((name) => !generated.has(name));
  if (remaining.length === columns.length) return rule;
  const where = `${label}, role "${rule.role}", ${rule.command}`;
  const message = 'generated columns cannot be written and are left out of columns';
  report.add('change', rule.from, `${where}: ${message}`);
  return { ...rule, body: new Map(rule.body).set('columns', remaining) };
}
