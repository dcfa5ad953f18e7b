import type { AppliedDifference } from '../../diff/compare-applied.ts';
import { diffJson } from '../../diff/output/json.ts';
import { diffText } from '../../diff/output/text.ts';
import { rolesText } from '../../diff/words/summary.ts';
import { changesNothing, type Plan } from '../../plan/make-plan.ts';

/** Says what the next apply changes for whom. Empty when neither the plan nor the meaning changes. */
export function differenceText(difference: AppliedDifference, plan: Plan): readonly string[] {
  if (difference.kind === 'omitted')
    return changesNothing(plan)
      ? []
      : [`what changes for whom is unknown: ${difference.reason}`, ''];
  const { report } = difference;
  if (report.changes.length === 0) return [];
  return [`compared with ${report.before}:`, ...diffText(report), ''];
}

/** Returns the words of a difference for the history. */
export function wordsOf(difference: AppliedDifference): readonly string[] {
  return difference.kind === 'compared' ? diffText(difference.report) : [];
}

/** Asks for the confirmation of a plan, with the number of roles whose rows change. */
export function confirmationText(difference: AppliedDifference): string {
  const roles = difference.kind === 'compared' ? rolesText(difference.report.changes) : '';
  return roles === '' ? 'apply these changes?' : `${roles}: apply these changes?`;
}

/** Formats the difference as JSON: as `rowgate diff --json` prints it, or with the reason why it is missing. */
export function differenceJson(difference: AppliedDifference): unknown {
  return difference.kind === 'compared'
    ? diffJson(difference.report)
    : { omitted: difference.reason };
}
