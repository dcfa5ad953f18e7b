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
 * An expression and all expressions below it, each before those below it.
 * @param enters whether to go below a part; default: below every part
 */
export function partsOf(
  expression: BoolExp,
  enters: (part: BoolExp) => boolean = () => true,
): readonly BoolExp[] {
  if (!enters(expression)) return [expression];
  return [expression, ...itemsOf(expression).flatMap((item) => partsOf(item, enters))];
}

/** The parts about the row under test itself, without those about rows that a part leads to. */
export function partsOfRow(expression: BoolExp): readonly BoolExp[] {
  return partsOf(expression, (part) => !leadsAway(part));
}

/** Whether what stands below a part is about another row. */
export function leadsAway(part: BoolExp): boolean {
  return part.kind === 'related' || part.kind === 'exists' || part.kind === 'computedRows';
}

/** Conditions that every row must meet, by themselves or as parts of an _and; none where every row passes. */
export function conjuncts(expression: BoolExp): readonly BoolExp[] {
  const isAnd = (part: BoolExp) => part.kind === 'and';
  return partsOf(expression, isAnd).filter((part) => !isAnd(part));
}

/** Filters of which one is enough, each closed by the variables that it lacks itself. */
export function guardedItems(expression: BoolExp): readonly BoolExp[] {
  const items = expression.kind === 'or' ? expression.items : [];
  return items.flatMap((one) => (one.kind === 'guarded' ? [one.item] : []));
}

/** An operand and all operands below it. */
export function operandsOf(operand: Operand): readonly Operand[] {
  return operand.kind === 'array' ? [operand, ...operand.items.flatMap(operandsOf)] : [operand];
}
