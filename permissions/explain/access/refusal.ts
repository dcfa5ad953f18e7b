import { missingVariableState } from '../../compile/presets.ts';
import type { Refusal } from '../../metadata/schemas/tests.ts';
import { isBadValue, isCheckViolation, isRaised } from '../../rights/refused-statement.ts';
import type { TableRules } from '../../types/rules.ts';
import type { Attempt } from './attempt.ts';

type Rule = NonNullable<TableRules[keyof TableRules]>;

/** Returns the reason for which a principal may not do an operation; undefined for an error that is no refusal. */
export function refusalOf(
  rule: Rule,
  refusedColumns: readonly string[],
  outcome: Attempt,
): Refusal | undefined {
  if (refusedColumns.length > 0) {
    const presets = 'presets' in rule ? rule.presets.map(({ column }) => column) : [];
    return refusedColumns.some((name) => presets.includes(name)) ? 'preset' : 'column';
  }
  if ('rows' in outcome) return 'filter' in rule ? 'row' : 'trigger';
  const { error } = outcome;
  if (error.code === missingVariableState) return 'variable';
  if (isCheckViolation(error)) return 'check';
  if (error.code?.startsWith('23')) return 'constraint';
  if (isBadValue(error)) return undefined;
  // A function that a trigger or a rule calls lacks a right.
  const isOfFunction = error.code !== '42501' || isRaised(error) || error.where !== undefined;
  return isOfFunction ? 'trigger' : undefined;
}
