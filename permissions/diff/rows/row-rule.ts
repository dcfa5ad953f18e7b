import type { BoolExp } from '../../types/expressions.ts';
import type { TableKey, VariableName } from '../../types/names.ts';
import { ruleOutcome, type TextRow, type World } from '../evaluate/evaluate-rule.ts';
import type { Outcome } from '../evaluate/three-valued.ts';

/** A row rule of one role: which rows of a table it lets through. */
export interface RowRule {
  readonly table: TableKey;
  /** Undefined: the role has no rule, so no row passes. */
  readonly expression: BoolExp | undefined;
  /** Session variables that every request in the role carries (RoleModel.requires). Default: none. */
  readonly requires?: readonly VariableName[];
}

/** Returns whether a rule lets a row through; undefined if only Postgres can answer. */
export function passes(rule: RowRule, row: TextRow, world: World): Outcome {
  const { expression, requires = [] } = rule;
  if (!expression || requires.some((name) => (world.variables[name] ?? '') === '')) return false;
  return ruleOutcome(expression, rule.table, row, world);
}
