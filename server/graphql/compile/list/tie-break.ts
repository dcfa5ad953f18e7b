import { type SQL, sql } from 'postgraphile/pg-sql2';
import type { TableView } from '../../schema/view/table-view.ts';
import { cell } from '../fragments.ts';
import type { Ordering } from './order-by.ts';

/**
 * What a client orders by, then the rest of the columns that are to be distinct, as Postgres wants it, then the primary
 * key: rows that are equal in all else stand in one order on every page. Without an order there is none.
 */
export function breakTies(
  table: TableView,
  alias: SQL,
  orderings: readonly Ordering[],
  distinct: readonly string[],
): readonly Ordering[] {
  if (orderings.length === 0) return orderings;
  const ordered = new Set(orderings.map(({ column }) => column));
  const further = new Set([...distinct, ...table.primaryKey.map(({ name }) => name)]);
  return [
    ...orderings,
    ...[...further]
      .filter((name) => !ordered.has(name))
      .map((name) => ({
        key: name,
        expression: cell(alias, table, name),
        direction: sql`asc`,
        crossings: 0,
        tables: 0,
        column: name,
      })),
  ];
}
