import type { BoolExp, Operand } from '../types/expressions.ts';

/** The expressions directly below an expression. */
function itemsOf(expression: BoolExp): readonly BoolExp[] {
  switch (expression.kind) {
    case 'and':
    case 'or':
      return expression.items;
    case 'not':
    case 'guarded':
    case 'related':
    case 'exists':
    case 'computedRows':
      return [expression.item];
    case 'compare':
    case 'isNull':
      return [];
  }
}

/**
 * Returns an expression and all expressions below it, parents first.
 * @param enters whether to descend into a part; by default into every part
 */
export function partsOf(
  expression: BoolExp,
  enters: (part: BoolExp) => boolean = () => true,
): readonly BoolExp[] {
  const parts: BoolExp[] = [];
  addParts(expression, enters, parts);
  return parts;
}

function addParts(expression: BoolExp, enters: (part: BoolExp) => boolean, parts: BoolExp[]): void {
  parts.push(expression);
  if (!enters(expression)) return;
  for (const item of itemsOf(expression)) addParts(item, enters, parts);
}

/** Returns the parts of an expression that test the row itself, without parts that test related rows. */
export function partsOfRow(expression: BoolExp): readonly BoolExp[] {
  return partsOf(expression, (part) => !leadsAway(part));
}

/** Returns whether the expressions below a part test another row, e.g. a related one. */
export function leadsAway(part: BoolExp): boolean {
  return part.kind === 'related' || part.kind === 'exists' || part.kind === 'computedRows';
}

/**
 * Returns the conditions that a row must all meet: the items of `_and`, including nested `_and`. Empty if every row
 * passes.
 */
export function conjuncts(expression: BoolExp): readonly BoolExp[] {
  const isAnd = (part: BoolExp) => part.kind === 'and';
  return partsOf(expression, isAnd).filter((part) => !isAnd(part));
}

/**
 * Returns the alternatives of a filter that was combined for a role with several inherited rules. Each alternative has
 * a variable check of its own. Empty for any other expression.
 */
export function guardedItems(expression: BoolExp): readonly BoolExp[] {
  const items = expression.kind === 'or' ? expression.items : [];
  return items.flatMap((one) => (one.kind === 'guarded' ? [one.item] : []));
}

/**
 * Returns the parts whose session variables the variable check of the whole rule covers. Combined alternatives are
 * excluded, because each alternative has a variable check of its own.
 */
export function unguardedParts(expression: BoolExp): readonly BoolExp[] {
  const isList = (part: BoolExp) => part.kind === 'and' || part.kind === 'or';
  return partsOf(expression, isList).filter((part) => !isList(part) && part.kind !== 'guarded');
}

/** Returns an operand and all operands below it. */
export function operandsOf(operand: Operand): readonly Operand[] {
  return operand.kind === 'array' ? [operand, ...operand.items.flatMap(operandsOf)] : [operand];
}
