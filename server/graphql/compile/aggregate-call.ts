import { type SQL, sql } from 'postgraphile/pg-sql2';
import type { ColumnView } from '../schema/view/column-view.ts';
import { ofBase } from './fragments.ts';

const FUNCTIONS: ReadonlySet<string> = new Set([
  'avg',
  'bool_and',
  'bool_or',
  'max',
  'min',
  'stddev',
  'stddev_pop',
  'stddev_samp',
  'sum',
  'var_pop',
  'var_samp',
  'variance',
]);

/**
 * Compiles a call such as `pg_catalog.sum(value)`. The schema can be another one, because some extensions define `min`
 * and `max` for their own types.
 */
export function aggregateCall(
  name: string,
  { scalar, aggregates }: Pick<ColumnView, 'scalar' | 'aggregates'>,
  value: SQL,
  distinct = false,
): SQL {
  if (!FUNCTIONS.has(name)) throw new Error(`${name} is no aggregate function`);
  const schema = aggregates.get(name) ?? 'pg_catalog';
  return sql`${sql.identifier(schema, name)}(${distinct ? sql`distinct ` : sql.blank}${ofBase(value, scalar)})`;
}

/**
 * Compiles a count of rows or of values. Several columns are counted as one row value. A row value is never null
 * itself, so each row counts even when all of these columns are null.
 */
export function countCall(values: readonly SQL[], distinct: boolean): SQL {
  if (values.length === 0) return sql`pg_catalog.count(*)`;
  const list = sql.join([...values], ', ');
  const value = values.length === 1 ? list : sql`(${list})`;
  return sql`pg_catalog.count(${distinct ? sql`distinct ` : sql.blank}${value})`;
}
