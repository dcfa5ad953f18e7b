import type { Diagnostic } from '../../diagnostics.ts';
import { type Change, changesNothing, type Plan } from '../../plan/make-plan.ts';
import { shown } from '../../text/characters.ts';
import { type Locks, locksText } from './print-locks.ts';

const marks = { create: '+', replace: '~', drop: '-', annotate: '·' } as const;

/**
 * Formats a plan as text: one line per change, then the counts and the locks. Corrected comments alone are no change,
 * and are listed only with their statements.
 */
export function planText(
  plan: Plan,
  locks: Locks,
  options: { readonly sql: boolean },
): readonly string[] {
  if (changesNothing(plan) && !options.sql) return [nothingText(plan)];
  // Corrected comments are not worth a line each beside real changes.
  const listed = plan.changes.filter(({ action }) => options.sql || action !== 'annotate');
  const lines = listed.flatMap((change) => [
    `${marks[change.action]} ${shown(change.label)}`,
    ...(options.sql
      ? statements(change).map((text) => `    ${text.replaceAll('\n', '\n    ')};`)
      : []),
  ]);
  const count = (action: Change['action']) =>
    plan.changes.filter((one) => one.action === action).length;
  if (changesNothing(plan)) return [...lines, nothingText(plan)];
  return [
    ...lines,
    `${count('create')} to create, ${count('replace')} to replace, ${count('drop')} to drop${commentsText(count('annotate'))}`,
    ...locksText(locks),
  ];
}

function commentsText(count: number): string {
  if (count === 0) return '';
  return `, and ${count} ${count === 1 ? 'comment' : 'comments'} to correct`;
}

/** Says that a plan changes nothing, in one line. */
function nothingText({ changes: { length } }: Plan): string {
  if (length === 0) return 'nothing to change';
  return `nothing to change; apply would correct ${length} ${length === 1 ? 'comment' : 'comments'}`;
}

function statements(change: Change): readonly string[] {
  return [...change.remove, ...change.statements].map((statement) => statement.text);
}

/** Formats a plan as JSON: `{ digest, changes: [{ action, kind, label, statements }], locks, findings }`. */
export function planJson(plan: Plan, locks: Locks, findings: readonly Diagnostic[]): object {
  return {
    digest: plan.digest,
    changes: plan.changes.map((change) => ({
      action: change.action,
      kind: change.kind,
      label: change.label,
      statements: statements(change),
    })),
    locks,
    findings,
  };
}
