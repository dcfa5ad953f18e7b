import { type SQL, sql } from 'postgraphile/pg-sql2';
import type { ColumnView } from '../view/role-view.ts';

const FUNCTIONS: ReadonlySet<string> = new Set([
  'avg',
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

/** `pg_catalog.sum(alias.column)`; types of extensions bring `min` and `max` of their own. */
export function aggregateCall(name: string, column: ColumnView, alias: SQL): SQL {
  if (!FUNCTIONS.has(name)) throw new Error(`${name} is no aggregate function`);
  const schema = column.aggregates.get(name) ?? 'pg_catalog';
  return sql`${sql.identifier(schema, name)}(${alias}.${sql.identifier(column.column)})`;
}
