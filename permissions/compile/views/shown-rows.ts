import type { PrintScope } from '../../expressions/print-comparison.ts';
import { printRule } from '../../expressions/print-expression.ts';
import { typeSql } from '../../expressions/print-operand.ts';
import { ident, join, type SqlText, sql } from '../../text/sql-text.ts';
import type { BoolExp } from '../../types/expressions.ts';
import type { RoleModel } from '../../types/model.ts';
import type { TableKey } from '../../types/names.ts';
import type { TableModel } from '../../types/tables.ts';
import { joinColumn, joinedCells, visibleCells } from './visible-cells.ts';

/** What a role may see of rows of a table, wherever they come from. */
export interface ShownRows {
  readonly table: TableModel;
  /** The alias of the rows. */
  readonly row: SqlText;
  /** `table (…)`: the columns that the role reads, by their own names. */
  readonly returns: SqlText;
  /** Their values, null where the rule does not show that cell of the row. */
  readonly cells: SqlText;
  /** Which rows the rule shows. */
  readonly where: SqlText;
  /** What is printed of it. */
  readonly expressions: readonly BoolExp[];
}

/** Undefined where the role may select nothing of the table. */
export function shownRows(
  role: RoleModel,
  key: TableKey,
  row: SqlText,
  scope: PrintScope,
): ShownRows | undefined {
  const rules = role.tables.get(key);
  const table = scope.tables.get(key);
  const select = rules?.select;
  if (!select || !table) return undefined;
  const readable = new Set([...select.columns, ...rules.hiddenKeys]);
  const { joinCells, hiddenKeys } = rules;
  const typed = (name: string, as: string): readonly SqlText[] => {
    const type = table.columns.get(name)?.type;
    return type ? [sql`${ident(as)} ${typeSql(type)}`] : [];
  };
  const columns = [...table.columns.keys()].filter((name) => readable.has(name));
  const types = [
    ...columns.flatMap((name) => typed(name, name)),
    ...[...joinCells.keys()].flatMap((name) => typed(name, joinColumn(table, joinCells, name))),
  ];
  const cells = [
    ...visibleCells(select, hiddenKeys, table, row, scope),
    ...joinedCells(select, joinCells, table, row, scope),
  ];
  return {
    table,
    row,
    returns: sql`table (${join(types, ', ')})`,
    cells: join(cells, ', '),
    where: printRule(select.filter, table, scope, row).text,
    expressions: [select.filter, ...select.cells.values(), ...joinCells.values()],
  };
}
