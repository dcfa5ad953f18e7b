import { meaningOf } from '../../expressions/combine.ts';
import type { BoolExp } from '../../types/expressions.ts';
import type { Model } from '../../types/model.ts';
import type { TableKey, VariableName } from '../../types/names.ts';
import type { RowComparison } from './row-comparison.ts';

/** A row rule of one role: which rows of a table it lets through. */
export interface RowRule {
  readonly table: TableKey;
  /** Undefined: the role has no rule, so no row passes. */
  readonly expression: BoolExp | undefined;
  /** Session variables that every request in the role carries (RoleModel.requires). Default: none. */
  readonly requires?: readonly VariableName[];
}

/**
 * Compares two row rules. The answer is sound: it is never `same` or `narrower` if the second rule lets a row through
 * that the first one refuses.
 */
export function compareRules(
  before: RowRule,
  after: RowRule,
  _models: { readonly before: Model; readonly after: Model },
): RowComparison {
  const isEqual = meaningOf([before.expression]) === meaningOf([after.expression]);
  return isEqual && before.table === after.table
    ? { verdict: 'same' }
    : { verdict: 'undecided', reason: 'the rules are written differently' };
}
