import { describeCondition } from '../../expressions/describe.ts';
import type { BoolExp } from '../../types/expressions.ts';

/** Describes a rule's condition in words. Without a rule, no row passes. */
export function conditionWords(condition: BoolExp | undefined, headerPrefix: string): string {
  return condition ? describeCondition(condition, headerPrefix) : 'no row';
}
