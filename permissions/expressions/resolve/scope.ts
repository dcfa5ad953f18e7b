import { type Catalog, tableKey } from '../../catalog/catalog.ts';
import type { CatalogType } from '../../catalog/types.ts';
import type { Report } from '../../diagnostics.ts';
import type { RawTableName } from '../../metadata/split-table-name.ts';
import { splitTableName } from '../../metadata/split-table-name.ts';
import type { RawNode } from '../../metadata/yaml/node.ts';
import { nearest } from '../../text/nearest.ts';
import type { TableKey } from '../../types/names.ts';
import type { TableModel } from '../../types/tables.ts';
import type { VariableUses } from '../session-variables.ts';

/** The inputs of resolving an expression that stay the same throughout a rule. */
export interface Scope {
  readonly catalog: Catalog;
  readonly report: Report;
  readonly headerPrefix: string;
  readonly variables: VariableUses;
  readonly filters: ReadonlyMap<string, RawNode>;
  /** Every table of the metadata that exists in the database. */
  readonly tables: ReadonlyMap<TableKey, TableModel>;
}

/** The place of an expression within a rule. */
export interface Place {
  readonly table: TableModel;
  /** The table that the whole rule is about. `["$", column]` means a column of its row. */
  readonly root: TableModel;
  readonly depth: number;
  /**
   * Names of the filters that are being expanded around this expression. A repeated name would mean that a filter
   * contains itself.
   */
  readonly unfolding: readonly string[];
}

/** Returns the catalog type of a column of the model. @throws RangeError if the table has no such column */
export function columnType(scope: Scope, table: TableModel, column: string): CatalogType {
  const found = scope.catalog.tables.get(table.key)?.columns.find((one) => one.name === column);
  if (!found) throw new RangeError(`${table.key} has no column ${column}`);
  return scope.catalog.type(found.type);
}

/**
 * Returns the table of the metadata that a node names: `name`, `schema.name` or `{ schema, name }`. Reports mistakes.
 */
export function findTable(node: RawNode, scope: Scope): TableModel | undefined {
  const named = tableNameOf(node, scope.report);
  return named && tableNamed({ ...named, position: node.position }, scope.tables, scope.report);
}

/** Returns the table of the metadata with this name. Reports an unknown table. */
export function tableNamed(
  { schema, table: name, position }: Pick<RawTableName, 'schema' | 'table' | 'position'>,
  tables: ReadonlyMap<TableKey, TableModel>,
  report: Report,
): TableModel | undefined {
  const table = tables.get(tableKey(schema, name));
  if (!table) {
    const known = [...tables.values()].map((one) =>
      one.schema === 'public' ? one.name : `${one.schema}.${one.name}`,
    );
    const near = nearest(schema === 'public' ? name : `${schema}.${name}`, known);
    report.error(
      'RG_UNKNOWN_TABLE',
      position,
      `the metadata has no table "${name}"`,
      near ? `did you mean "${near}"?` : 'add a file for it, with or without rules',
    );
  }
  return table;
}

function tableNameOf(
  node: RawNode,
  report: Report,
): { readonly schema: string; readonly table: string } | undefined {
  if (node.kind !== 'map') {
    const name = node.kind === 'scalar' ? String(node.value) : '';
    return splitTableName({ name, position: node.position }, report);
  }
  const part = (key: string) => {
    const value = node.entries.find((entry) => entry.key === key)?.value;
    return value?.kind === 'scalar' ? String(value.value) : '';
  };
  return { schema: part('schema') || 'public', table: part('name') };
}
