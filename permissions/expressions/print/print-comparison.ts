import { operatorSymbol } from '../../text/operator-symbols.ts';
import { ident, type SqlText, sql } from '../../text/sql-text.ts';
import type { BoolExp, ColumnReference, Operand } from '../../types/expressions.ts';
import type { Model } from '../../types/model.ts';
import type { TypeName } from '../../types/names.ts';
import type { ComputedField, TableModel } from '../../types/tables.ts';
import type { PolicyView } from './policy-views.ts';
import { callComputed } from './print-call.ts';
import { operandSql, typeSql } from './print-operand.ts';

type Comparison = Extract<BoolExp, { kind: 'compare' }>;

/** The inputs of printing that stay the same throughout an expression. */
export interface PrintScope {
  readonly tables: Model['tables'];
  readonly gatewayRole: string;
  /** SQL for the session variables as jsonb, which some user-defined functions take as an argument. */
  readonly session: SqlText;
  /**
   * True for the check of a written row, and for a row that is read by its key: the check looks up the related rows by
   * key. False for other reads: the statement collects all matching keys once. For an insert, that collection would
   * cost a scan of the whole table.
   */
  readonly written?: boolean;
}

/**
 * The context of a printed expression: the row that it tests, the row of the rule's own table, and the policy views
 * that the printed SQL has used so far.
 */
export interface Frame {
  readonly table: TableModel;
  readonly row: SqlText;
  readonly root: SqlText;
  /** SQL for the whole row, as a function takes it. Absent: all columns of `row`. */
  readonly whole?: SqlText;
  readonly depth: number;
  /** True below `_not`, where Postgres cannot use an index. */
  readonly negated?: boolean;
  readonly used: Set<PolicyView>;
}

function column(reference: ColumnReference, frame: Frame): SqlText {
  return sql`${reference.scope === 'root' ? frame.root : frame.row}.${ident(reference.column)}`;
}

/** Prints a column, or the call of a computed field's function. */
export function subject(reference: Comparison['column'], frame: Frame, scope: PrintScope): SqlText {
  return 'field' in reference ? called(reference.field, frame, scope) : column(reference, frame);
}

/** Prints the call of a computed field's function for the row. */
export function called(
  field: ComputedField,
  { row, whole }: Frame,
  { session }: PrintScope,
): SqlText {
  return callComputed({ field, asOwner: true }, { row: whole ?? sql`${row}.*`, session });
}

function cast(value: SqlText, type: TypeName | undefined): SqlText {
  return type ? sql`${value}::${typeSql(type)}` : value;
}

export function compare(expression: Comparison, frame: Frame, scope: PrintScope): SqlText {
  const given = subject(expression.column, frame, scope);
  const left = cast(given, expression.castTo);
  const { schema, symbol } = expression.operator;
  const operator = sql`operator(${ident(schema)}.${operatorSymbol(symbol)})`;
  const right = rightSide(expression, frame, scope);
  const test = expression.quantifier
    ? sql`(${left} ${operator} ${expression.quantifier === 'any' ? sql`any` : sql`all`} (${right}))`
    : sql`(${left} ${operator} ${right})`;
  return expression.orNull ? sql`(${test} or ${given} is null)` : test;
}

function rightSide(expression: Comparison, frame: Frame, scope: PrintScope): SqlText {
  const { operand, castTo, pattern } = expression;
  if (operand.kind === 'column') return cast(column(operand.reference, frame), castTo);
  const value = operandSql(operand, scope.gatewayRole);
  return pattern === 'similar' ? similar(value, operand) : value;
}

/**
 * Converts a pattern of `similar to` to a regular expression. Postgres itself stores `similar to` in this form, so the
 * stored rule equals the printed one.
 */
function similar(value: SqlText, operand: Exclude<Operand, { kind: 'column' }>): SqlText {
  return sql`pg_catalog.similar_to_escape((${value})::pg_catalog.text)::${typeSql(operand.type)}`;
}
