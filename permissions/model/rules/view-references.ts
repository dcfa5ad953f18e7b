import type { CatalogForeignKey } from '../../catalog/types.ts';
import type { Position } from '../../diagnostics.ts';
import { leadsAnywhere } from '../../expressions/combine.ts';
import type { Scope } from '../../expressions/resolve/scope.ts';
import type { TableKey } from '../../types/names.ts';
import type { Reference, TableRules } from '../../types/rules.ts';
import type { Relationship, TableModel } from '../../types/tables.ts';
import { baseTableReads } from '../views/view-reads.ts';

interface ReferenceFacts {
  readonly rules: ReadonlyMap<TableKey, TableRules>;
  readonly scope: Scope;
}

/**
 * Returns the foreign keys that clients write through a view. They belong to the tables below the view, and the catalog
 * does not record which columns of the view form such a key; only an object relationship of the view does. A key
 * without such a relationship is reported, because rows written through the view could then refer to any row.
 */
export function viewReferences(
  table: TableModel,
  written: readonly string[],
  position: Position,
  { rules, scope }: ReferenceFacts,
): readonly Reference[] {
  if (written.length === 0) return [];
  const isWritten = ({ local }: Relationship['columns'][number]) =>
    written.includes(local) || table.columns.get(local)?.generated === true;
  return keysRead(table, scope).flatMap((key) => {
    const filter = rules.get(key.table)?.select?.filter;
    if (leadsAnywhere(filter, scope.tables.get(key.table))) return [];
    const along = [...table.relationships.values()].filter((one) => leadsAlong(one, key));
    if (along.length === 0) {
      scope.report.warning(
        'RG_VIEW',
        position,
        `rows written through ${table.schema}.${table.name} can refer to any row of ${key.table}, because it is not known which of its columns form the foreign key "${key.name}"`,
        `give the view an object relationship by those columns to ${key.table}, which needs a file too`,
      );
    }
    return along
      .filter(({ columns }) => columns.some(isWritten))
      .map((relationship) => ({ relationship, filter }));
  });
}

/**
 * Returns the foreign keys of the tables below a view, and of their child tables, if the view reads their columns. Keys
 * that refer to the same columns of the same table count once.
 */
function keysRead({ key }: TableModel, { catalog }: Scope): readonly CatalogForeignKey[] {
  const keys = baseTableReads(key, catalog).flatMap(({ table, columns }) =>
    [table, ...(catalog.tables.get(table)?.descendants ?? [])]
      .flatMap((name) => catalog.tables.get(name)?.foreignKeys ?? [])
      .filter((one) => one.columns.some((column) => columns.includes(column))),
  );
  return [...new Map(keys.map((one) => [endOf(one.table, one.remoteColumns), one])).values()];
}

function leadsAlong({ kind, table, columns }: Relationship, key: CatalogForeignKey): boolean {
  const remote = columns.map((pair) => pair.remote);
  return kind === 'object' && endOf(table, remote) === endOf(key.table, key.remoteColumns);
}

function endOf(table: TableKey, columns: readonly string[]): string {
  return JSON.stringify([table, columns.toSorted()]);
}
