import { isSame } from '../../expressions/combine.ts';
import type { PrintScope } from '../../expressions/print-comparison.ts';
import { printRule } from '../../expressions/print-expression.ts';
import { maxNameBytes } from '../../text/names.ts';
import { digest } from '../../text/object-names.ts';
import { ident, type SqlText, sql } from '../../text/sql-text.ts';
import type { BoolExp } from '../../types/expressions.ts';
import type { TablePermissions } from '../../types/model.ts';
import type { SelectRule } from '../../types/rules.ts';
import type { TableModel } from '../../types/tables.ts';

/**
 * The columns of a row that a rule lets its role read in SQL, in the table's own order and by their own names: `row.c
 * as c`, or null where the rule does not show that cell of the row.
 */
export function visibleCells(
  rule: SelectRule,
  hiddenKeys: readonly string[],
  table: TableModel,
  row: SqlText,
  scope: PrintScope,
): readonly SqlText[] {
  const readable = new Set([...rule.columns, ...hiddenKeys]);
  const names = [...table.columns.keys()].filter((name) => readable.has(name));
  return names.map((name) => {
    const value = sql`${row}.${ident(name)}`;
    const shown = shownWhere(rule, rule.cells.get(name), value, { table, row, scope });
    return sql`${shown} as ${ident(name)}`;
  });
}

/** Keys that relationships follow in more rows than show them, by the names that joinColumn gives. */
export function joinedCells(
  rule: SelectRule,
  joinCells: TablePermissions['joinCells'],
  table: TableModel,
  row: SqlText,
  scope: PrintScope,
): readonly SqlText[] {
  return [...joinCells].map(([name, condition]) => {
    const value = sql`${row}.${ident(name)}`;
    const shown = shownWhere(rule, condition, value, { table, row, scope });
    return sql`${shown} as ${ident(joinColumn(table, joinCells, name))}`;
  });
}

/** The name by which the rows of a role have a key that relationships follow. */
export function joinColumn(
  { columns }: TableModel,
  joinCells: TablePermissions['joinCells'],
  name: string,
): string {
  if (!joinCells.has(name)) return name;
  // Another column's name, or the copy of another one, would be two columns of one name.
  let copy = `${name}~`;
  while (columns.has(copy) || Buffer.byteLength(copy) > maxNameBytes) {
    copy = `${digest(copy)}~`;
  }
  return copy;
}

/** The value where a condition holds of the row, which the rule shows. */
export function shownWhere(
  rule: SelectRule,
  condition: BoolExp | undefined,
  value: SqlText,
  { table, row, scope }: { table: TableModel; row: SqlText; scope: PrintScope },
): SqlText {
  if (!condition || isSame(condition, rule.filter)) return value;
  return sql`case when ${printRule(condition, table, scope, row).text} then ${value} end`;
}
