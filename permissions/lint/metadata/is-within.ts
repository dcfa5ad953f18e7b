import { parseArray } from '../../expressions/literals.ts';
import { conjuncts, guardedItems } from '../../expressions/visit.ts';
import type { BoolExp } from '../../types/expressions.ts';
import type { TypeName } from '../../types/names.ts';

/**
 * Returns whether every row that passes the narrow filter also passes the wide one. It compares conditions one by one:
 * each condition of the wide filter must occur in the narrow one, or must follow from one of its conditions by their
 * lists of values. It returns false when this is not certain.
 */
export function isWithin(narrow: BoolExp, wide: BoolExp): boolean {
  // When the wide filter combines the filters of several roles, one of these is enough.
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

/** The condition that a column is, or is not, one of some constants. */
interface Listed {
  /** The column, and the type in which it is compared. */
  readonly of: string;
  readonly texts: ReadonlySet<string>;
  readonly excluded: boolean;
  /** Whether different texts are always different values; `1` and `1.0` are the same number. */
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
  // When the list contains null, the result of the comparison can be unknown.
  if (!type || !known || known.length !== texts?.length) return undefined;
  const of = JSON.stringify([column.column, type.schema, type.name]);
  return { of, texts: new Set(known), excluded, exact: isExact(type) };
}

function isExact({ schema, name, labels }: TypeName): boolean {
  return labels !== undefined || (schema === 'pg_catalog' && name === 'text');
}
