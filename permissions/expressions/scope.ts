import type { Catalog } from '../catalog/catalog.ts';
import type { CatalogType } from '../catalog/types.ts';
import type { Report } from '../diagnostics.ts';
import type { RawNode } from '../metadata/yaml/node.ts';
import type { TableKey } from '../types/names.ts';
import type { TableModel } from '../types/tables.ts';
import type { VariableUses } from './known-variables.ts';

/** What resolving needs at hand. */
export interface Scope {
  readonly catalog: Catalog;
  readonly report: Report;
  readonly headerPrefix: string;
  readonly variables: VariableUses;
  readonly filters: ReadonlyMap<string, RawNode>;
  /** Every table of the metadata that the database has. */
  readonly tables: ReadonlyMap<TableKey, TableModel>;
}

/** Where in a rule an expression stands. */
export interface Place {
  readonly table: TableModel;
  /** The table that the whole rule is about; `["$", column]` means its row. */
  readonly root: TableModel;
  readonly depth: number;
  /** Named filters that are being unfolded here. */
  readonly unfolding: readonly string[];
}

/** The catalog type of a column that the model knows. */
export function columnType(scope: Scope, table: TableModel, column: string): CatalogType {
  const found = scope.catalog.tables.get(table.key)?.columns.find((one) => one.name === column);
  if (!found) throw new RangeError(`${table.key} has no column ${column}`);
  return scope.catalog.type(found.type);
}
