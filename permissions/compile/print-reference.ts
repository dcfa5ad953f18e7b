import type { PolicyView } from '../expressions/print/policy-views.ts';
import type { PrintScope } from '../expressions/print/print-comparison.ts';
import {
  amongKeys,
  nullable,
  type PrintedExpression,
} from '../expressions/print/print-expression.ts';
import { ident, join, type SqlText, sql } from '../text/sql-text.ts';
import type { Reference } from '../types/rules.ts';
import type { TableModel } from '../types/tables.ts';

/**
 * Prints the condition that a foreign key of a row of `table` is null, or refers to a row that passes the filter. The
 * variables of the filter are read only when the key is not null, so a null key needs no session variable.
 */
export function printReference(
  { relationship, filter }: Reference,
  table: TableModel,
  scope: PrintScope,
  row: SqlText = ident(table.name),
): PrintedExpression {
  const used = new Set<PolicyView>();
  const absent = relationship.columns
    .filter((pair) => nullable(table, pair.local))
    .map((pair) => sql`${row}.${ident(pair.local)} is null`);
  const frame = { table, row, root: row, depth: 0, used };
  const conditions = filter ? [...absent, amongKeys(relationship, filter, frame, scope)] : absent;
  const text = conditions.length > 0 ? sql`(${join(conditions, ' or ')})` : sql`false`;
  return { text, views: [...used] };
}
