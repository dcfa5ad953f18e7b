import type { TableAccess } from '../../access/table-access.ts';
import type { PolicyNeed } from '../../expressions/print/policy-views.ts';
import type { PrintScope } from '../../expressions/print/print-comparison.ts';
import { printRule } from '../../expressions/print/print-expression.ts';
import { typeSql } from '../../expressions/print/print-operand.ts';
import { ident, join, type SqlText, sql } from '../../text/sql-text.ts';
import type { BoolExp } from '../../types/expressions.ts';
import type { TableModel } from '../../types/tables.ts';
import { maskedColumns, readableColumns } from '../masked-columns/masked-columns.ts';

/** The part of a function's result that a role may see. */
export interface ShownRows {
  readonly table: TableModel;
  /** The SQL alias of the result rows. */
  readonly row: SqlText;
  /** SQL for the return type: `table (…)` with the columns that the role may read, under their own names. */
  readonly returns: SqlText;
  /** SQL for the values of these columns. A value is null when the role's rule masks the column in that row. */
  readonly values: SqlText;
  /** SQL for the condition that the role's rule shows the row. */
  readonly where: SqlText;
  /** The rule expressions that occur in `returns`, `values` and `where`. */
  readonly expressions: readonly BoolExp[];
  readonly needs: readonly PolicyNeed[];
}

/**
 * Prints the rows and columns of a function's result that a role may see. Undefined when the role has no select rule on
 * the table.
 */
export function shownRows(
  access: TableAccess | undefined,
  row: SqlText,
  scope: PrintScope,
): ShownRows | undefined {
  const select = access?.rules.select;
  if (!select) return undefined;
  const { table, rules, joinColumns } = access;
  const typed = (name: string, as: string): readonly SqlText[] => {
    const type = table.columns.get(name)?.type;
    return type ? [sql`${ident(as)} ${typeSql(type)}`] : [];
  };
  const types = [
    ...readableColumns(select, rules, table).flatMap((name) => typed(name, name)),
    ...[...joinColumns].flatMap(([name, as]) => typed(name, as)),
  ];
  const { columns, joined } = maskedColumns(access, select, { table, row, scope });
  const shown = [...columns, ...joined];
  const where = printRule(select.filter, table, scope, row);
  return {
    table,
    row,
    returns: sql`table (${join(types, ', ')})`,
    values: join(
      shown.map(({ text }) => text),
      ', ',
    ),
    where: where.text,
    expressions: [select.filter, ...select.columnMasks.values(), ...rules.joinMasks.values()],
    needs: [...shown.flatMap(({ needs }) => needs), ...where.views],
  };
}
