import type { Diagnostic } from '../../diagnostics.ts';
import type { Change, Plan } from '../../plan/make-plan.ts';
import { shown } from '../../text/characters.ts';
import { type Locks, locksText } from './print-locks.ts';

const marks = { create: '+', replace: '~', drop: '-', annotate: '·' } as const;

/** Formats a plan as text: one line per change, then the counts and the locks. */
export function planText(
  plan: Plan,
  locks: Locks,
  options: { readonly sql: boolean },
): readonly string[] {
  if (plan.changes.length === 0) return ['nothing to change'];
  const lines = plan.changes.flatMap((change) => [
    `${marks[change.action]} ${shown(change.label)}`,
    ...(options.sql
      ? statements(change).map((text) => `    ${text.replaceAll('\n', '\n    ')};`)
      : []),
  ]);
  const count = (action: Change['action']) =>
    plan.changes.filter((one) => one.action === action).length;
  return [
    ...lines,
    `${count('create')} to create, ${count('replace')} to replace, ${count('drop')} to drop, ${count('annotate')} to annotate`,
    ...locksText(locks),
  ];
}

function statements(change: Change): readonly string[] {
  return [...change.remove, ...change.statements].map((statement) => statement.text);
}

/** Formats a plan as JSON: `{ digest, changes: [{ action, kind, label, statements }], locks, findings }`. */
export function planJson(plan: Plan, locks: Locks, findings: readonly Diagnostic[]): unknown {
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
