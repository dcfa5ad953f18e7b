import type { BoolExp, ColumnReference } from '../../types/expressions.ts';
import type { OperatorName, TypeName } from '../../types/names.ts';
import { type ValueType, valueType } from './values.ts';

type Comparison = Extract<BoolExp, { kind: 'compare' }>;

/** How the two sides of a comparison are read as values. */
export interface ComparedValues {
  /** The operator's symbol, or `similar to` and its opposite. */
  readonly symbol: string;
  readonly left: ValueType;
  readonly right: ValueType;
}

/** Returns how a comparison compares its values; undefined if only Postgres can do that. */
export function comparedValues(comparison: Comparison): ComparedValues | undefined {
  const { column, operator } = comparison;
  if ('field' in column || !isModelledCast(column, comparison.castTo)) return undefined;
  const types = sidesOf(comparison, column);
  if (!types) return undefined;
  const [left, right] = [valueType(types.left), valueType(types.right)];
  if (!left || !right || !isOwnOperator(operator, left)) return undefined;
  return { symbol: symbolOf(comparison), left, right };
}

function symbolOf({ pattern, operator }: Comparison): string {
  if (pattern !== 'similar') return operator.symbol;
  return operator.symbol === '~' ? 'similar to' : 'not similar to';
}

/** Operators of jsonb whose right-hand side has another type than the left-hand side. */
const keySymbols: ReadonlySet<string> = new Set(['?', '?|', '?&']);

function sidesOf(
  { castTo, operand, operator, quantifier }: Comparison,
  column: ColumnReference,
): { readonly left: TypeName; readonly right: TypeName } | undefined {
  if (operand.kind === 'column') {
    const { reference } = operand;
    if (!isModelledCast(reference, castTo)) return undefined;
    return { left: castTo ?? column.type, right: castTo ?? reference.type };
  }
  const right = quantifier ? operand.type.element : operand.type;
  if (!right) return undefined;
  if (keySymbols.has(operator.symbol)) return { left: column.type, right };
  // The operand has the base type of a domain, and the column's value is compared as that type.
  return { left: castTo ?? right, right };
}

/** Only the cast of a text leaves the text of a value as it is. */
function isModelledCast({ type }: ColumnReference, castTo: TypeName | undefined): boolean {
  if (!castTo) return true;
  const isText = ({ schema, name }: TypeName) =>
    schema === 'pg_catalog' && (name === 'text' || name === 'varchar');
  return isText(type) && isText(castTo);
}

/** Returns whether an operator is one of Postgres or of citext, and not a user-defined one of the same name. */
function isOwnOperator({ schema }: OperatorName, { name }: ValueType): boolean {
  return schema === 'pg_catalog' || name === 'citext';
}
