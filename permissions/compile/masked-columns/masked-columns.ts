import type { TableAccess } from '../../access/table-access.ts';
import { isSame } from '../../expressions/combine.ts';
import type { PolicyNeed } from '../../expressions/print/policy-views.ts';
import type { PrintScope } from '../../expressions/print/print-comparison.ts';
import { printRule } from '../../expressions/print/print-expression.ts';
import { ident, type SqlText, sql } from '../../text/sql-text.ts';
import type { BoolExp } from '../../types/expressions.ts';
import type { TablePermissions } from '../../types/model.ts';
import type { SelectRule } from '../../types/rules.ts';
import type { TableModel } from '../../types/tables.ts';

/** A column of a row, as an item of a select list. */
export interface ShownColumn {
  readonly text: SqlText;
  readonly needs: readonly PolicyNeed[];
}

export interface ShownRow {
  readonly table: TableModel;
  /** The SQL alias of the row. */
  readonly row: SqlText;
  readonly scope: PrintScope;
}

/**
 * Returns the columns that a role can read in SQL under a rule, in the order of the table. They include hidden keys,
 * which relationships join by although the rule does not list them.
 */
export function readableColumns(
  rule: SelectRule,
  { hiddenKeys }: Pick<TablePermissions, 'hiddenKeys'>,
  { columns }: TableModel,
): readonly string[] {
  const readable = new Set([...rule.columns, ...hiddenKeys]);
  return [...columns.keys()].filter((name) => readable.has(name));
}

/**
 * Prints the columns of a row for a role. A column that the rule masks in this row is null. `joined` adds a second,
 * unmasked column for each key that relationships may follow although the role may not read the key.
 */
export function maskedColumns(
  { rules, joinColumns }: TableAccess,
  select: SelectRule,
  shown: ShownRow,
): { readonly columns: readonly ShownColumn[]; readonly joined: readonly ShownColumn[] } {
  const column = (name: string, condition: BoolExp | undefined, as: string) =>
    maskedValue(select, condition, { value: sql`${shown.row}.${ident(name)}`, as }, shown);
  return {
    columns: readableColumns(select, rules, shown.table).map((name) =>
      column(name, select.columnMasks.get(name), name),
    ),
    joined: [...joinColumns].map(([name, as]) => column(name, rules.joinMasks.get(name), as)),
  };
}

/**
 * Prints a value as a column that is null in rows where `condition` does not hold. No mask is needed when the condition
 * is missing or equals the rule's filter.
 */
export function maskedValue(
  rule: SelectRule,
  condition: BoolExp | undefined,
  { value, as }: { readonly value: SqlText; readonly as: string },
  { table, row, scope }: ShownRow,
): ShownColumn {
  if (!condition || isSame(condition, rule.filter)) {
    return { text: sql`${value} as ${ident(as)}`, needs: [] };
  }
  const { text, views } = printRule(condition, table, scope, row);
  return { text: sql`case when ${text} then ${value} end as ${ident(as)}`, needs: views };
}
