import { type Catalog, tableKey } from '../../catalog/catalog.ts';
import type { CatalogColumn, CatalogTable } from '../../catalog/types.ts';
import type { Position, Report } from '../../diagnostics.ts';
import type { RawTable } from '../../metadata/schemas/tables/table.ts';
import { nearest } from '../../text/nearest.ts';
import type { TableKey } from '../../types/names.ts';
import type { ColumnModel, TableKind, TableModel } from '../../types/tables.ts';
import { baseTableReads } from '../views/view-reads.ts';
import { nameColumn, nameTable, reportUnknownColumns } from './graphql-names.ts';
import { makeViewModel } from './view-model.ts';

/** A table that the metadata names, with its metadata file and its entry in the catalog. */
export interface TrackedTable {
  readonly raw: RawTable;
  readonly catalog: CatalogTable;
  readonly key: TableKey;
}

/** Finds each table of the metadata in the database. Reports tables that are missing or cannot have rules. */
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
  const labelOf = (table: CatalogTable) =>
    table.schema === 'public' ? table.name : `${table.schema}.${table.name}`;
  const label = schema === 'public' ? name : `${schema}.${name}`;
  const namesake = catalog.data.tables.find((table) => table.name === name);
  const near = namesake ? labelOf(namesake) : nearest(label, catalog.data.tables.map(labelOf));
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

/** Returns the model of a table without its relationships. They are added later, when all tables are known. */
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
    ...collationOf(column, catalog),
    ...(column.reshaped && { reshaped: true }),
    hasDefault: column.hasDefault,
    generated: column.generated,
    enumTable: undefined,
  });
  return {
    key,
    kind: kinds[table.kind],
    view: table.view ? makeViewModel(table.view) : undefined,
    baseTables: [...new Set(baseTableReads(key, catalog).map((read) => read.table))],
    enum: undefined,
    schema: table.schema,
    name: table.name,
    ...nameTable(table, graphql, report),
    columns: new Map(table.columns.map((column) => [column.name, makeColumn(column)])),
    primaryKey: table.primaryKey,
    uniqueConstraints: table.uniqueConstraints,
    hasInsertTriggers: table.hasInsertTriggers,
    hasUpdateTriggers: table.hasUpdateTriggers,
    keepsConstraints: keepsConstraints(table, catalog),
    withoutStatistics: raw.withoutStatistics.map(({ name }) => name),
    // The columns depend on the rules of all roles, so they are added later.
    live: raw.live && { keys: [], cursors: [] },
    relationships: new Map(),
    computedFields: new Map(),
    position: raw.position,
  };
}

/** Returns the facts about a column's collation. citext compares in lower case, so odd cases change what is equal. */
function collationOf(
  { type, collation, nondeterministic, oddCase }: CatalogColumn,
  catalog: Catalog,
): Pick<ColumnModel, 'nondeterministic' | 'collation' | 'oddCase'> {
  const { name, element } = catalog.typeName(catalog.base(catalog.type(type)));
  const isCitext = (element?.name ?? name) === 'citext';
  return {
    ...((nondeterministic || (isCitext && oddCase)) && { nondeterministic: true }),
    ...(collation !== null && { collation }),
    ...(oddCase && { oddCase }),
  };
}

/** Partitions have the constraints of their table, except that Postgres enforces none in foreign tables. */
function keepsConstraints({ kind, descendants }: CatalogTable, { tables }: Catalog): boolean {
  if (kind === 'p') return descendants.every((key) => tables.get(key)?.kind !== 'f');
  return kind === 'r' && descendants.length === 0;
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
