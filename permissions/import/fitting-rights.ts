import { type Catalog, tableKey } from '../catalog/catalog.ts';
import type { Imported, ImportedComputedField, ImportedTable } from './hasura/imported.ts';

/**
 * An import whose computed fields act with the rights of an owner, as all of Hasura's do, only where that matters and is
 * possible: the result of an immutable function depends on no rights, and a table without a primary key has no way to
 * the row.
 */
export function withFittingRights(imported: Imported, catalog: Catalog): Imported {
  const tables = imported.tables.map((table) => ({
    ...table,
    computedFields: table.computedFields.map((field) => fitting(field, table, catalog)),
  }));
  return { ...imported, tables };
}

function fitting(
  field: ImportedComputedField,
  { schema, name }: ImportedTable,
  catalog: Catalog,
): ImportedComputedField {
  const { called } = field;
  const hasKey = catalog.tables.get(tableKey(schema, name))?.primaryKey.length !== 0;
  const functions = catalog.data.functions.filter(
    (one) => one.schema === called.schema && one.name === called.name,
  );
  const isPure = functions.length > 0 && functions.every(({ volatility }) => volatility === 'i');
  if (hasKey && !isPure) return field;
  const body = new Map(field.body);
  body.delete('rights');
  return { ...field, body };
}
