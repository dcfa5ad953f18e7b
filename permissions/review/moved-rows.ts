import { movesAny } from '../compile/policies.ts';
import { updatedRows } from '../diff/compare/written-rows.ts';
import { allOf } from '../expressions/combine.ts';
import { filterColumns, ownColumns, variablesOf } from '../expressions/dependencies.ts';
import { describeCondition } from '../expressions/describe.ts';
import { conjuncts } from '../expressions/visit.ts';
import { label } from '../objects/state/state-object.ts';
import type { BoolExp } from '../types/expressions.ts';
import { type RuleSubject, referenceConditions } from './rule-subject.ts';

/**
 * Reports update rules whose check lets a row leave the rows that the role may update. A check that compares the same
 * columns with other constants is no finding: a change of a status leaves the filter on purpose. A condition on the
 * caller counts always, because a row that fails it then belongs to another caller.
 */
export function movedRows({ model, role, table, rules, rows, report, isNew }: RuleSubject): void {
  const { update } = rules;
  const check = update?.check;
  if (!update || !check || !isNew('moved', update.position)) return;
  const references = referenceConditions(update.references, table);
  const updated = updatedRows(update, table);
  if (!references || !updated) return;
  const written = allOf([updated, ...references]);
  const left = conjuncts(update.filter).filter(
    (part) =>
      movesAny(filterColumns(part), update, table) &&
      !isConsidered(part, check) &&
      rows.beyond(table.key, written, part) !== undefined,
  );
  if (left.length === 0) return;
  const condition = describeCondition(allOf(left), model.headerPrefix);
  report.warning(
    'RG_CHECK_BEYOND_FILTER',
    update.position,
    `${role.name} may move rows of ${label(table)} out of its update filter, because the check does not require that ${condition}`,
    'repeat the condition in the check, or take the column out of columns',
  );
}

/** Returns whether a condition on constants has a counterpart in the check. */
function isConsidered(part: BoolExp, check: BoolExp): boolean {
  const checked = ownColumns(check);
  return (
    variablesOf([part]).length === 0 && filterColumns(part).every((column) => checked.has(column))
  );
}
