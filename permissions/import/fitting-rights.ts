import { type Catalog, tableKey } from '../catalog/catalog.ts';
import type { Imported, ImportedComputedField, ImportedTable } from './hasura/imported.ts';

/**
 * Corrects the rights with which computed fields run. Hasura runs all of them with the rights of an owner. The caller's
 * rights suffice for an immutable function, whose result depends on no rights. A table without a primary key permits
 * only the caller's rights, because a generated function could not find the row.
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
