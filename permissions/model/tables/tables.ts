import { type Catalog, tableKey } from '../../catalog/catalog.ts';
import type { CatalogColumn, CatalogTable } from '../../catalog/types.ts';
import type { Position, Report } from '../../diagnostics.ts';
import type { Scope } from '../../expressions/scope.ts';
import type { RawNode, RawTable, RawTableName } from '../../metadata/raw.ts';
import { splitTableName } from '../../metadata/read/read-table-name.ts';
import { nearest } from '../../text/nearest.ts';
import type { TableKey } from '../../types/names.ts';
import type { ColumnModel, TableKind, TableModel } from '../../types/tables.ts';
import { viewOf } from '../views/views.ts';
import { nameColumn, nameTable, reportUnknownColumns } from './graphql-names.ts';

/** A table of the metadata with what the database says of it. */
export interface TrackedTable {
  readonly raw: RawTable;
  readonly catalog: CatalogTable;
  readonly key: TableKey;
}

/** Finds every table of the metadata in the database; what is missing or unfit goes to the report. */
export function trackTables(
  raws: readonly RawTable[],
  catalog: Catalog,
  report: Report,
): readonly TrackedTable[] {
  return raws.flatMap((raw) => {
    const key = tableKey(raw.schema, raw.name);
    const found = catalog.tables.get(key);
    if (!found) {
      reportMissing(raw.schema, raw.name, raw.position, catalog, report);
      return [];
    }
    const problem = unfit(found);
    if (problem !== undefined) {
      report.error('RG_UNSUPPORTED_TABLE', raw.position, `${raw.schema}.${raw.name} ${problem}`);
      return [];
    }
    return [{ raw, catalog: found, key }];
  });
}

function unfit({ kind, columns }: CatalogTable): string | undefined {
  if (kind === 'f') return 'is a foreign table, which cannot carry row security';
  return columns.length === 0 ? 'has no column that a rule could give the right to' : undefined;
}

function reportMissing(
  schema: string,
  name: string,
  position: Position,
  catalog: Catalog,
  report: Report,
): void {
  const label = (table: CatalogTable) =>
    table.schema === 'public' ? table.name : `${table.schema}.${table.name}`;
  const wanted = schema === 'public' ? name : `${schema}.${name}`;
  const near = nearest(wanted, catalog.data.tables.map(label));
  report.error(
    'RG_UNKNOWN_TABLE',
    position,
    `table ${schema}.${name} does not exist`,
    near && `did you mean "${near}"?`,
  );
}

const kinds: Readonly<Record<CatalogTable['kind'], TableKind>> = {
  ...{ r: 'table', p: 'table', f: 'table' },
  ...{ v: 'view', m: 'materialized view' },
};

/** The model of a table without its relationships, which need the other tables first. */
export function makeTable(tracked: TrackedTable, catalog: Catalog, report: Report): TableModel {
  const { catalog: table, raw, key } = tracked;
  const { graphql } = raw;
  reportUnknownColumns(
    table,
    [...graphql.columns.map(({ column }) => column), ...raw.withoutStatistics],
    report,
  );
  reportNoStatistics(tracked, report);
  const makeColumn = (column: CatalogColumn): ColumnModel => ({
    name: column.name,
    ...nameColumn(column, graphql, report),
    type: catalog.typeName(catalog.type(column.type)),
    notNull: column.notNull,
    hasDefault: column.hasDefault,
    generated: column.generated,
    enumTable: undefined,
  });
  return {
    key,
    kind: kinds[table.kind],
    view: table.view ? viewOf(table.view) : undefined,
    enum: undefined,
    schema: table.schema,
    name: table.name,
    ...nameTable(table, graphql, report),
    columns: new Map(table.columns.map((column) => [column.name, makeColumn(column)])),
    primaryKey: table.primaryKey,
    uniqueConstraints: table.uniqueConstraints,
    hasInsertTriggers: table.hasInsertTriggers,
    withoutStatistics: raw.withoutStatistics.map(({ name }) => name),
    relationships: new Map(),
    computedFields: new Map(),
    position: raw.position,
  };
}

function reportNoStatistics(
  { raw, catalog: { kind, schema, name, columns } }: TrackedTable,
  report: Report,
): void {
  for (const { name: column, position } of raw.withoutStatistics) {
    if (!columns.some((one) => one.name === column && one.virtual)) continue;
    const message = `column ${schema}.${name}.${column} is virtual, and Postgres keeps no statistics of it`;
    const hint = 'write statistics: none for the columns that it is computed from';
    report.error('RG_BAD_VALUE', position, message, hint);
  }
  const [first] = raw.withoutStatistics;
  if (kind !== 'v' || !first) return;
  report.error(
    'RG_VIEW',
    first.position,
    `${schema}.${name} is a view, of which Postgres keeps no statistics`,
    'write statistics: none in the files of the tables that it reads',
  );
}

/** The tracked table that a node names: `name`, `schema.name` or `{ schema, name }`. Mistakes are reported. */
export function findTable(node: RawNode, scope: Scope): TableModel | undefined {
  const named = tableNameOf(node, scope.report);
  return named && tableNamed({ ...named, position: node.position }, scope.tables, scope.report);
}

/** The tracked table of that name; an unknown one is reported. */
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
