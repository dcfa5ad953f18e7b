import type { TypeName } from '../../types/names.ts';
import type { TableModel } from '../../types/tables.ts';

/** Returns the schemas on which a role needs USAGE to use a table: the table's own and those of its column types. */
export function tableSchemas(table: TableModel): readonly string[] {
  const ofColumns = [...table.columns.values()].map(({ type }) => elementOf(type).schema);
  return [table.schema, ...ofColumns];
}

/** Returns the element type of an array, at any depth; any other type unchanged. */
export function elementOf(type: TypeName): TypeName {
  return type.element ? elementOf(type.element) : type;
}
