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

/** Returns e.g. `2 roles gain rows, 1 role loses rows`; empty if no role does. */
export function rolesText(changes: readonly Change[]): string {
  const gained = rolesWith(changes, isGained);
  const lost = rolesWith(changes, isLost);
  const open = rolesWith(changes, isUndecided);
  return [
    ...(gained > 0 ? [`${roles(gained)} ${gained === 1 ? 'gains' : 'gain'} rows`] : []),
    ...(lost > 0 ? [`${roles(lost)} ${lost === 1 ? 'loses' : 'lose'} rows`] : []),
    ...(open > 0 ? [`undecided for ${roles(open)}`] : []),
  ].join(', ');
}

function roles(count: number): string {
  return `${count} ${count === 1 ? 'role' : 'roles'}`;
}

function rolesWith(changes: readonly Change[], applies: (change: Change) => boolean): number {
  const names = changes
    .filter(applies)
    .flatMap(({ role, inheritedBy }) => [...(role === undefined ? [] : [role]), ...inheritedBy]);
  return new Set(names).size;
}

function isGained({ rows, aspect, class: level }: Change): boolean {
  if (rows) return rows.verdict === 'wider' || rows.verdict === 'crossed';
  return aspect === 'rule' && level === 'review';
}

function isLost({ rows, aspect, class: level }: Change): boolean {
  if (rows) return rows.verdict === 'narrower' || rows.verdict === 'crossed';
  return aspect === 'rule' && level === 'breaking';
}
