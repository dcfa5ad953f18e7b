import type { Reference, TableModel } from '../model/types.ts';
import { ident, join, sql } from '../sql/sql-text.ts';
import {
  byAllKeys,
  keyView,
  nullable,
  type PrintedExpression,
  type PrintScope,
  tableOf,
} from './print-expression.ts';

/**
 * Prints that a foreign key of a row of `table` is null or leads to a row that passes the filter, whose variables are
 * asked for only where the key is not null. A written row is looked up by its own key: collecting all visible keys,
 * as filters do, would cost every insert a scan.
 */
export function printReference(
  { relationship, filter }: Reference,
  table: TableModel,
  scope: PrintScope,
): PrintedExpression {
  const row = ident(table.name);
  const absent = relationship.columns
    .filter((pair) => nullable(table, pair.local))
    .map((pair) => sql`${row}.${ident(pair.local)} is null`);
  const view = filter && keyView(relationship, tableOf(relationship.table, scope), filter, scope);
  const conditions = view
    ? [...absent, byAllKeys(relationship, view, { row, depth: 0, root: row })]
    : absent;
  const text = conditions.length > 0 ? sql`(${join(conditions, ' or ')})` : sql`false`;
  return { text, views: view ? [view] : [] };
}
