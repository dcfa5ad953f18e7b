import { comparisonOperators } from '../../../expressions/operators.ts';

/** Rowgate's names of operators, by each of Hasura's names. */
const names: ReadonlyMap<string, string> = new Map(
  [...comparisonOperators].flatMap(([name, { alias }]) => [
    [name, name] as const,
    ...(alias === undefined ? [] : [[alias, name] as const]),
  ]),
);

/**
 * Hasura's operators that Rowgate lacks: casts to types other than text, jsonpath, PostGIS. The import omits a rule
 * with one of them.
 */
const unsupported: ReadonlySet<string> = new Set([
  ...['cast', 'jsonb_path_exists', 'jsonb_path_match'],
  ...['st_contains', 'st_crosses', 'st_equals', 'st_overlaps', 'st_touches', 'st_within'],
  ...['st_intersects', 'st_3d_intersects', 'st_d_within', 'st_3d_d_within'],
  ...['st_intersects_rast', 'st_intersects_geom_nband', 'st_intersects_nband_geom'],
]);

/** A key of a boolean expression that is not the name of a column or relationship. */
export type Connective = '_and' | '_or' | '_not' | '_exists';

const connectives: ReadonlySet<string> = new Set(['_and', '_or', '_not', '_exists']);

/** Returns `_and` for `_and` and `$and`, and likewise for the other connectives; undefined for any other key. */
export function connective(key: string): Connective | undefined {
  const name = key.replace(/^\$/, '_');
  return connectives.has(name) ? (name as Connective) : undefined;
}

/**
 * Returns Rowgate's name of an operator for any of Hasura's spellings, such as `_eq`, `$eq` or `_ne`; undefined for an
 * unknown operator.
 */
export function operator(key: string): string | undefined {
  const name = key.replace(/^\$/, '_');
  return name === '_is_null' ? name : names.get(name);
}

/** Returns whether the key is `_cast` in any of Hasura's spellings. */
export function isCast(key: string): boolean {
  return /^[_$]cast$/.test(key);
}

/** Returns whether Hasura treats the key as an operator on a column. Rowgate may lack the operator. */
export function isOperator(key: string): boolean {
  return operator(key) !== undefined || unsupported.has(key.slice(1));
}
