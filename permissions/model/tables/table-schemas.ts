import type { TypeName } from '../../types/names.ts';
import type { TableModel } from '../../types/tables.ts';

/** The schemas that a caller of a table needs: its own and those of its columns' types. */
export function tableSchemas(table: TableModel): readonly string[] {
  const ofColumns = [...table.columns.values()].map(({ type }) => elementOf(type).schema);
  return [table.schema, ...ofColumns];
}

/** The element type of an array; any other type itself. */
export function elementOf(type: TypeName): TypeName {
  return type.element ? elementOf(type.element) : type;
}
