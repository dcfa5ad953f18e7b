import type { BoolExp } from '../../types/expressions.ts';
import type { TableKey } from '../../types/names.ts';
import { ruleOutcome, type TextRow, type World } from '../evaluate/evaluate-rule.ts';
import type { Outcome } from '../evaluate/three-valued.ts';

/**
 * A row rule of one role: which rows of a table it lets through. The variables that the role requires are no part of
 * it, because no policy checks them in a direct login's session.
 */
export interface RowRule {
  readonly table: TableKey;
  /** Undefined: the role has no rule, so no row passes. */
  readonly expression: BoolExp | undefined;
}

/** Returns whether a rule lets a row through; undefined if only Postgres can answer. */
export function passes(rule: RowRule, row: TextRow, world: World): Outcome {
  const { table, expression } = rule;
  return expression ? ruleOutcome(expression, table, row, world) : false;
}
