import { parseArray } from '../../expressions/literals.ts';
import { conjuncts, guardedItems } from '../../expressions/visit.ts';
import type { BoolExp } from '../../types/expressions.ts';
import type { TypeName } from '../../types/names.ts';

/**
 * Whether every row of the one filter is surely one of the other: each condition of the other is among its own, or
 * follows from one of them by the values that they list. False where it is not that plain.
 */
export function isWithin(narrow: BoolExp, wide: BoolExp): boolean {
  // Of the filters of several roles, one is enough.
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

/** That a column is, or is not, one of some constants. */
interface Listed {
  /** The column and the type that it is compared as. */
  readonly of: string;
  readonly texts: ReadonlySet<string>;
  readonly excluded: boolean;
  /** Whether other texts are other values, as `1` and `1.0` are not. */
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
  // With a null in the list it is unknown what is not in it.
  if (!type || !known || known.length !== texts?.length) return undefined;
  const of = JSON.stringify([column.column, type.schema, type.name]);
  return { of, texts: new Set(known), excluded, exact: isExact(type) };
}

function isExact({ schema, name, labels }: TypeName): boolean {
  return labels !== undefined || (schema === 'pg_catalog' && name === 'text');
}
