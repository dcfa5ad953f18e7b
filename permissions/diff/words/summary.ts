import { type Change, changeClasses, countClasses, isUndecided } from '../change.ts';

/** Says in one line how many changes there are, and for how many roles rows change. */
export function summaryOf({ changes }: { readonly changes: readonly Change[] }): string {
  if (changes.length === 0) return 'no difference in meaning';
  const counts = countClasses(changes);
  const words = {
    ...{ dangerous: 'dangerous', review: 'to review' },
    ...{ breaking: 'breaking for clients', safe: 'safe' },
  };
  const classes = changeClasses.flatMap((name) =>
    counts[name] > 0 ? [`${counts[name]} ${words[name]}`] : [],
  );
  const roles = rolesText(changes);
  return `${classes.join(', ')}${roles === '' ? '' : `; ${roles}`}`;
}

/** Returns e.g. `2 roles gain rows, 1 role may write less`; empty if no role does. */
export function rolesText(changes: readonly Change[]): string {
  const text = (count: number, one: string, many: string) =>
    count === 0 ? [] : [count === 1 ? `1 role ${one}` : `${count} roles ${many}`];
  const reads = changes.filter(({ command }) => command === 'select');
  const writes = changes.filter(({ command }) => command !== 'select');
  return [
    ...text(rolesOf(reads.filter(isGained)), 'gains rows', 'gain rows'),
    ...text(rolesOf(reads.filter(isLost)), 'loses rows', 'lose rows'),
    ...text(rolesOf(writes.filter(isGained)), 'may write more', 'may write more'),
    ...text(rolesOf(writes.filter(isLost)), 'may write less', 'may write less'),
    ...text(rolesOf(changes.filter(isUndecided)), 'could not be compared', 'could not be compared'),
  ].join(', ');
}

function rolesOf(changes: readonly Change[]): number {
  const names = changes.flatMap(({ role, inheritedBy }) => [
    ...(role === undefined ? [] : [role]),
    ...inheritedBy,
  ]);
  return new Set(names).size;
}

function isGained({ rows, aspect, class: level }: Change): boolean {
  if (rows) return rows.verdict === 'wider' || rows.verdict === 'crossed';
  return (aspect === 'rule' && level === 'review') || (aspect === 'masks' && level === 'dangerous');
}

function isLost({ rows, aspect, class: level }: Change): boolean {
  if (rows) return rows.verdict === 'narrower' || rows.verdict === 'crossed';
  return aspect === 'rule' && level === 'breaking';
}
