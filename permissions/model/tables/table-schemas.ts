import type { TypeName } from '../../types/names.ts';
import type { TableModel } from '../../types/tables.ts';

/** The schemas that whoever uses a table has to do with: its own and those of its columns' types. */
export function tableSchemas(table: TableModel): readonly string[] {
  const ofColumns = [...table.columns.values()].map(({ type }) => elementOf(type).schema);
  return [table.schema, ...ofColumns];
}

/** What an array's elements are of; the type itself where it is no array. */
export function elementOf(type: TypeName): TypeName {
  return type.element ? elementOf(type.element) : type;
}
