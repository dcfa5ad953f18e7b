import { everyRow, isSame } from '../../expressions/combine.ts';
import type { BoolExp } from '../../types/expressions.ts';
import { conditionText } from './condition-text.ts';

/** A changed expression, with words that say what was changed. */
export interface ChangedExpression {
  readonly mutator: 'condition dropped' | 'operator flipped' | 'relationship shortened';
  readonly expression: BoolExp;
  /** Takes the prefix of session variables. */
  readonly words: (headerPrefix: string) => string;
}

/**
 * Returns every variant of an expression with one change: a condition dropped, an operator flipped or a relationship
 * shortened. Inside `_not`, dropping an alternative of `_or` widens the rule, and dropping a condition of `_and` does
 * not.
 */
export function changedExpressions(
  expression: BoolExp,
  isNegated = false,
): readonly ChangedExpression[] {
  switch (expression.kind) {
    case 'and':
    case 'or': {
      const drops = (expression.kind === 'or') === isNegated && expression.items.length > 1;
      return [...(drops ? droppedItems(expression) : []), ...changedItems(expression, isNegated)];
    }
    case 'not':
      return changedExpressions(expression.item, !isNegated).map((one) => ({
        ...{ ...one, expression: { ...expression, item: one.expression } },
      }));
    case 'guarded':
      return inItem(expression, isNegated);
    case 'related':
    case 'exists':
    case 'computedRows':
      return [...(isNegated ? [] : shortened(expression)), ...inItem(expression, isNegated)];
    case 'compare':
      return [flipped(expression, { kind: 'not', item: expression })];
    case 'isNull':
      return [flipped(expression, { ...expression, negated: !expression.negated })];
  }
}

type WithItems = Extract<BoolExp, { items: unknown }>;
type WithItem = Extract<BoolExp, { kind: 'guarded' | 'related' | 'exists' | 'computedRows' }>;

function droppedItems(expression: WithItems): readonly ChangedExpression[] {
  return expression.items.map((dropped) => ({
    mutator: 'condition dropped',
    expression: { ...expression, items: expression.items.filter((item) => item !== dropped) },
    words: (prefix) => `without ${conditionText(dropped, prefix)}`,
  }));
}

function changedItems(expression: WithItems, isNegated: boolean): readonly ChangedExpression[] {
  return expression.items.flatMap((item, index) =>
    changedExpressions(item, isNegated).map((one) => ({
      ...{
        ...one,
        expression: { ...expression, items: expression.items.with(index, one.expression) },
      },
    })),
  );
}

function inItem(expression: WithItem, isNegated: boolean): readonly ChangedExpression[] {
  return changedExpressions(expression.item, isNegated).map((one) => ({
    ...{ ...one, expression: { ...expression, item: one.expression } },
  }));
}

function shortened(
  expression: Exclude<WithItem, { kind: 'guarded' }>,
): readonly ChangedExpression[] {
  if (isSame(expression.item, everyRow)) return [];
  const words = (prefix: string) =>
    `with any related row instead of ${conditionText(expression, prefix)}`;
  return [
    { mutator: 'relationship shortened', expression: { ...expression, item: everyRow }, words },
  ];
}

function flipped(from: BoolExp, to: BoolExp): ChangedExpression {
  const words = (prefix: string) => `with the opposite of ${conditionText(from, prefix)}`;
  return { mutator: 'operator flipped', expression: to, words };
}
