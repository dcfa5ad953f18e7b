import { type SQL, sql } from 'postgraphile/pg-sql2';
import type { TypeName } from '../../../../permissions/index.ts';

/** The type of a column, without its domains. Contains only data, so that it can be sent to a thread. */
export interface ColumnType {
  readonly schema: string;
  /** Name in pg_type: `int4`, `_text`, `citext`. */
  readonly name: string;
  /** Element type of an array type. */
  readonly element: ColumnType | undefined;
  /** Labels of an enum type. */
  readonly labels: readonly string[] | undefined;
  /** The fields of a composite type by name. */
  readonly attributes: ReadonlyMap<string, ColumnType> | undefined;
}

/** The type as SQL, for casts. */
export function sqlTypeOf({ schema, name, element }: ColumnType): SQL {
  return element ? sql`${sqlTypeOf(element)}[]` : sql.identifier(schema, name);
}

/** Makes the array type of a type. */
export function arrayOf(element: ColumnType): ColumnType {
  const { schema, name } = element;
  return { schema, name: `_${name}`, element, labels: undefined, attributes: undefined };
}

/** Makes a type from its name and, for an enum, its labels. Its values are handled as texts. */
export function plainType({ schema, name, labels }: TypeName): ColumnType {
  return { schema, name, labels, element: undefined, attributes: undefined };
}
