import { type SQL, sql } from 'postgraphile/pg-sql2';
import type { TableView } from '../../schema/view/table-view.ts';
import { columnRef } from '../fragments.ts';
import type { Ordering } from './order-by.ts';

/**
 * Adds the remaining `distinct on` columns, which Postgres requires, and then the primary key to the orderings of the
 * client. Rows that are otherwise equal then have the same order on every page. Without orderings it adds nothing.
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
        expression: columnRef(alias, table, name),
        direction: sql`asc`,
        crossings: 0,
        tables: 0,
        column: name,
      })),
  ];
}
