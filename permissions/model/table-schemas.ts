import type { TableModel, TypeName } from './types.ts';

/** The schemas that whoever uses a table has to do with: its own and those of its columns' types. */
export function tableSchemas(table: TableModel): readonly string[] {
  const ofColumns = [...table.columns.values()].map(({ type }) => elementOf(type).schema);
  return [table.schema, ...ofColumns];
}

function elementOf(type: TypeName): TypeName {
  return type.element ? elementOf(type.element) : type;
}
