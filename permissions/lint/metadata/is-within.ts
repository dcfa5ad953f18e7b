import { parseArray } from '../../expressions/literals.ts';
import { conjuncts, guardedItems } from '../../expressions/visit.ts';
import type { BoolExp } from '../../types/expressions.ts';
import type { TypeName } from '../../types/names.ts';

/**
 * Returns whether every row that passes the filter `narrow` also passes the filter `wide`. False also means that the
 * function cannot decide. It compares single conditions: each condition of `wide` must occur in `narrow`, or must
 * follow from a condition of `narrow` by their lists of values.
 */
export function isWithin(narrow: BoolExp, wide: BoolExp): boolean {
  // `wide` may combine the filters of several roles. A row that passes one of them passes `wide`.
  if (guardedItems(wide).some((one) => isWithin(narrow, one))) return true;
  const given = conjuncts(narrow);
  return conjuncts(wide).every((required) => given.some((one) => implies(one, required)));
}

function implies(given: BoolExp, required: BoolExp): boolean {
  if (JSON.stringify(given) === JSON.stringify(required)) return true;
  const [values, limits] = [listed(given), listed(required)];
  if (!values || !limits || values.excluded || values.of !== limits.of) return false;
  if (!limits.excluded) return [...values.texts].every((text) => limits.texts.has(text));
  return limits.exact && [...values.texts].every((text) => !limits.texts.has(text));
}

/** The condition that a column has one of several constant values, or none of them. */
interface Listed {
  /** Identifies the column and the type in which it is compared. */
  readonly of: string;
  readonly texts: ReadonlySet<string>;
  readonly excluded: boolean;
  /**
   * Whether different texts are always different values. False for numbers, for example: `1` and `1.0` are the same
   * number.
   */
  readonly exact: boolean;
}

function listed(condition: BoolExp): Listed | undefined {
  if (condition.kind !== 'compare' || condition.column.scope !== 'row') return undefined;
  if ('field' in condition.column) return undefined;
  const { column, operator, operand, quantifier } = condition;
  if (operand.kind !== 'literal' || !['=', '<>'].includes(operator.symbol)) return undefined;
  const excluded = operator.symbol === '<>';
  const type = quantifier ? operand.type.element : operand.type;
  const texts = quantifier ? parseArray(operand.text) : [operand.text];
  const known = texts?.filter((text) => text !== null);
  // With a null in the list, the comparison can be neither true nor false, so it implies no other condition.
  if (!type || !known || known.length !== texts?.length) return undefined;
  const of = JSON.stringify([column.column, type.schema, type.name]);
  return { of, texts: new Set(known), excluded, exact: isExact(type) };
}

function isExact({ schema, name, labels }: TypeName): boolean {
  return labels !== undefined || (schema === 'pg_catalog' && name === 'text');
}
