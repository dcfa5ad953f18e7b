import { CommandError } from '../../errors.ts';
import { typedSql } from '../../expressions/print/print-operand.ts';
import { quote } from '../../text/characters.ts';
import { didYouMean } from '../../text/nearest.ts';
import { ident, join, type SqlText, sql } from '../../text/sql-text.ts';
import type { Operation } from '../../types/rules.ts';
import type { TableModel } from '../../types/tables.ts';
import type { Principal } from './principal.ts';

/** The question whether a principal may do an operation with one row. */
export interface AccessQuestion {
  readonly principal: Principal;
  readonly table: TableModel;
  readonly operation: Operation;
  /** Values of the primary key as text, by column. Empty for an insert. */
  readonly key: ReadonlyMap<string, string>;
  /** The columns to read. Empty: all columns that the rule allows. */
  readonly columns: readonly string[];
  /** Values to write as text, or null, by column. */
  readonly values: ReadonlyMap<string, string | null>;
}

/** Refuses a question that names unknown columns, or no row. @throws CommandError RG_USAGE */
export function checkQuestion({ table, operation, key, columns, values }: AccessQuestion): void {
  for (const name of [...key.keys(), ...columns, ...values.keys()]) {
    if (table.columns.has(name)) continue;
    const hint = didYouMean(name, table.columns.keys());
    throw usage(`${table.key} has no column ${quote(name)}`, hint);
  }
  const isInsert = operation === 'insert';
  const missing = table.primaryKey.filter((name) => !key.has(name));
  const other = [...key.keys()].find((name) => !table.primaryKey.includes(name));
  if (isInsert ? key.size > 0 : missing.length > 0 || other !== undefined || key.size === 0) {
    const names = table.primaryKey.join(', ');
    throw isInsert
      ? usage('an insert has no key yet', 'give the values of the new row')
      : usage(
          `the row must be named by its primary key`,
          `the key is ${names || 'missing: the table has none'}`,
        );
  }
  if (values.size > 0 && (operation === 'select' || operation === 'delete'))
    throw usage(`${operation} writes no values`, 'leave the values out');
}

function usage(message: string, hint: string | undefined): CommandError {
  return new CommandError('RG_USAGE', message, { exitCode: 2, hint });
}

/** The condition that a row has the key of the question. */
export function keyCondition({ table, key }: AccessQuestion, row: SqlText): SqlText {
  return join(equalities(table, key, row), ' and ');
}

/** Prints the conditions that columns of a row have these values. */
export function equalities(
  table: TableModel,
  values: ReadonlyMap<string, string>,
  row: SqlText,
): readonly SqlText[] {
  return [...values].map(
    ([name, text]) => sql`${row}.${ident(name)} = ${valueSql(table, name, text)}`,
  );
}

/** Prints a text as a value of a column, or null. */
export function valueSql({ columns }: TableModel, name: string, text: string | null): SqlText {
  const column = columns.get(name);
  if (!column) throw new RangeError(`no column ${name}`);
  return typedSql(text, column.type);
}
