import type { Difference, Drift } from '../../drift/find-drift.ts';
import { type Plan, planSteps } from '../../plan/make-plan.ts';
import { shown } from '../../text/characters.ts';
import { counted } from '../../text/counted.ts';

const titles: Readonly<Record<Difference['kind'], string>> = {
  role: 'roles',
  membership: 'memberships',
  'api function': "Rowgate's own functions",
  schema: 'schemas',
  'row security': 'row security',
  statistics: 'statistics of columns',
  call: 'calls of functions in rules',
  view: 'policy views',
  'login schema': 'schemas of views for logins',
  'login view': 'views for logins',
  function: 'preset functions',
  grant: 'privileges',
  execute: 'functions',
  'copied privilege': 'privileges of the roles of another database',
  policy: 'policies',
  trigger: 'triggers',
  fingerprint: 'what was applied',
  finding: 'ways around the rules',
};

/**
 * Formats drift as text: the differences by kind, and an explanation. When a plan is given, also the statements that
 * remove the differences.
 */
export function driftText(drift: Drift, plan?: Plan): readonly string[] {
  const groups = Map.groupBy(drift.differences, (one) => one.kind);
  const listed = [...groups].flatMap(([kind, differences]) => [
    `${titles[kind]}:`,
    ...differences.map(({ text, hint }) =>
      shown(`  ${text}${hint === undefined ? '' : `; ${hint}`}`),
    ),
  ]);
  return [
    ...listed,
    ...statements(drift, plan),
    ...replaced(drift),
    ...copied(drift),
    ...summary(drift),
  ];
}

function replaced({ replaced: views }: Drift): readonly string[] {
  return views.map((label) =>
    shown(
      `warning: ${label} was replaced since its rules were applied, which rowgate apply accepts`,
    ),
  );
}

/** Returns the statements that the next apply would run. They include pending changes of the metadata. */
function statements(drift: Drift, plan: Plan | undefined): readonly string[] {
  if (!plan || drift.differences.length === 0) return [];
  if (!drift.current)
    return ['rowgate plan --sql shows the statements, with those that are pending'];
  return ['apply would run:', ...planSteps(plan).map(({ statement }) => `  ${statement.text};`)];
}

function copied({ copiedFrom, differences }: Drift): readonly string[] {
  if (!differences.some(({ kind }) => kind === 'copied privilege')) return [];
  const from = copiedFrom.length === 0 ? 'another name' : copiedFrom.join(', ');
  return [
    shown(
      `the rules were applied under ${from}: rowgate apply makes roles for this database and revokes here what others hold`,
    ),
  ];
}

function summary({ applied, current, differences, pending }: Drift): readonly string[] {
  if (!applied) return ['nothing was applied to this database yet, or that it was is forgotten'];
  const { length } = differences;
  const count = counted(length, 'difference');
  return [
    length === 0
      ? 'no drift'
      : `${count} from what was applied; rowgate apply puts right what it can`,
    ...(current
      ? []
      : [
          `the metadata is not what was applied last: ${pending} changes are pending, which rowgate plan shows`,
        ]),
  ];
}
