import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  isNonNullType,
} from 'postgraphile/graphql';

/**
 * What an input value is: of a column or compared with one, of an array column, or of GraphQL's own. Postgres reads
 * the text of any value of a column, so these may be strings whatever their type.
 */
export type Holds = 'column' | 'array' | 'own';

const COMPARISON = '_comparison_exp';
const ARRAY_COMPARISON = '_array_comparison_exp';
const WRITES = /_(insert|set|inc|pk_columns)_input$/;
const OWN: ReadonlySet<string> = new Set(['_is_null', '_cast']);

/** What a field of an input object holds. */
export function heldByField(type: GraphQLInputObjectType, { name }: GraphQLInputField): Holds {
  if (type.name.endsWith(COMPARISON)) {
    if (OWN.has(name)) return 'own';
    return type.name.endsWith(ARRAY_COMPARISON) ? 'array' : 'column';
  }
  return WRITES.test(type.name) ? 'array' : 'own';
}

/** What an argument of a field holds: those that are required and no object are columns of a key. */
export function heldByArgument({ type }: GraphQLArgument): Holds {
  return isNonNullType(type) ? 'array' : 'own';
}
