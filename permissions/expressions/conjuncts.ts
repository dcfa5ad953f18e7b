import type { BoolExp } from '../types/expressions.ts';

/** Conditions that every row must meet, whether by themselves or as part of an _and; none where every row passes. */
export function conjuncts(expression: BoolExp): readonly BoolExp[] {
  return expression.kind === 'and' ? expression.items.flatMap(conjuncts) : [expression];
}
