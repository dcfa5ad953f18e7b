import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  isNonNullType,
} from 'postgraphile/graphql';

/**
 * The use of an input value.
 * - `column`: the value is compared with a column that is not an array. A list contains several such values, as for
 *   `_in`.
 * - `array-column`: the value belongs to a column that may be an array. Postgres's notation `{a,b}` may replace a list.
 * - `graphql`: the value is not a column value but an option of the API, such as `limit` or `_is_null`.
 *
 * Postgres reads the value of a column from its text, so a client may send a string for any type of column.
 */
export type ValueTarget = 'column' | 'array-column' | 'graphql';

const COMPARISON = '_comparison_exp';
const ARRAY_COMPARISON = '_array_comparison_exp';
const WRITES = /_(insert|set|inc|pk_columns)_input$/;
const GRAPHQL_FIELDS: ReadonlySet<string> = new Set(['_is_null', '_cast']);

/** Returns the target of a field of an input object. */
export function targetOfField(
  type: GraphQLInputObjectType,
  { name }: GraphQLInputField,
): ValueTarget {
  if (type.name.endsWith(COMPARISON)) {
    if (GRAPHQL_FIELDS.has(name)) return 'graphql';
    return type.name.endsWith(ARRAY_COMPARISON) ? 'array-column' : 'column';
  }
  return WRITES.test(type.name) ? 'array-column' : 'graphql';
}

/** Returns the target of a field's argument. Required scalar arguments are columns of a primary key. */
export function targetOfArgument({ type }: GraphQLArgument): ValueTarget {
  return isNonNullType(type) ? 'array-column' : 'graphql';
}
