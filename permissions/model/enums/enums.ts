import type { Catalog } from '../../catalog/catalog.ts';
import type { CatalogColumn, CatalogTable } from '../../catalog/types.ts';
import type { Report } from '../../diagnostics.ts';
import type { TableKey } from '../../types/names.ts';
import type { ColumnModel, EnumModel, TableModel } from '../../types/tables.ts';
import type { TrackedTable } from '../tables/tables.ts';

type EnumColumns = Pick<EnumModel, 'value' | 'describedBy'>;

/**
 * Returns the columns of each enum table of the metadata. Reports tables whose columns do not fit an enum. A later step
 * reads the rows, which are the values of the enum.
 */
export function findEnums(
  tracked: readonly TrackedTable[],
  catalog: Catalog,
  report: Report,
): ReadonlyMap<TableKey, EnumColumns> {
  const found = new Map<TableKey, EnumColumns>();
  for (const { raw, catalog: table, key } of tracked) {
    if (!raw.enumPosition) continue;
    const columns = enumColumns(table, catalog);
    if (typeof columns === 'object') found.set(key, columns);
    else {
      const message = `${table.schema}.${table.name} cannot be an enum: ${columns}`;
      report.error('RG_ENUM', raw.enumPosition, message, shape);
    }
  }
  return found;
}

const shape =
  'an enum table has a primary key of one text column, which holds the values, and at most one other text column, which describes them';

/** Returns the columns of the enum, or the reason why the table cannot be an enum. */
export function enumColumns(table: CatalogTable, catalog: Catalog): EnumColumns | string {
  const [key, ...more] = table.primaryKey;
  if (key === undefined) return 'it has no primary key';
  if (more.length > 0) return 'its primary key has several columns';
  const [other, ...rest] = table.columns.filter(({ name }) => name !== key);
  if (rest.length > 0) return `it has ${table.columns.length} columns`;
  const odd = table.columns.find((column) => !isText(column, catalog));
  if (odd) return `column "${odd.name}" is no text`;
  return { value: key, describedBy: other?.name };
}

function isText({ type }: CatalogColumn, catalog: Catalog): boolean {
  const { schema, name } = catalog.type(type);
  return schema === 'pg_catalog' && (name === 'text' || name === 'varchar');
}

/** Adds the enum of the table if the table is one, and marks columns that hold values of other enums. */
export function withEnums(
  table: TableModel,
  catalog: CatalogTable,
  enums: ReadonlyMap<TableKey, EnumColumns>,
): TableModel {
  const own = enums.get(table.key);
  const columns = [...table.columns.values()].map((column) => ({
    ...column,
    enumTable: enumTableOf(column, catalog, enums),
  }));
  return {
    ...table,
    enum: own && { ...own, graphqlName: `${table.graphqlName}_enum` },
    columns: new Map(columns.map((column) => [column.name, column])),
  };
}

/**
 * Returns the enum table whose values a column holds. A column with foreign keys to several enum tables holds only
 * values that all of these tables have, so no single table can be its type; then undefined.
 */
function enumTableOf(
  { name }: ColumnModel,
  { foreignKeys }: CatalogTable,
  enums: ReadonlyMap<TableKey, EnumColumns>,
): TableKey | undefined {
  const targets = foreignKeys.flatMap(({ columns, table, remoteColumns }) => {
    const isOwn = columns.length === 1 && columns[0] === name;
    return isOwn && enums.get(table)?.value === remoteColumns[0] ? [table] : [];
  });
  return new Set(targets).size === 1 ? targets[0] : undefined;
}
