import type { Position } from '../diagnostics.ts';
import type { BoolExp } from '../types/expressions.ts';
import type { TableKey } from '../types/names.ts';
import type { Operation } from '../types/rules.ts';
import type { RowComparison } from './rows/row-comparison.ts';

/**
 * The weight of a change, heaviest first. `dangerous`: existing access widens. `review`: new access, or the comparison
 * could not decide. `breaking`: clients lose something. `safe`: nothing of that.
 */
export const changeClasses = ['dangerous', 'review', 'breaking', 'safe'] as const;

export type ChangeClass = (typeof changeClasses)[number];

/** The part of the metadata that differs. */
export const aspects = [
  ...(['rows', 'check', 'rule', 'columns', 'masks', 'presets', 'references'] as const),
  ...(['backend-only', 'aggregations', 'root-fields', 'limits', 'upserts', 'fields'] as const),
  ...(['role', 'table', 'function', 'action', 'event', 'schedule', 'allow-list'] as const),
  ...(['graphile', 'authentication', 'settings'] as const),
] as const;

export type Aspect = (typeof aspects)[number];

/** A place in the YAML of one version. */
export type Place = Pick<Position, 'file' | 'line' | 'column'>;

/** Two versions of one condition on rows, and how they compare. */
export interface RowChange extends RowComparison {
  readonly table: TableKey;
  /** The conditions. Undefined: there is no rule, so no row passes. */
  readonly before: BoolExp | undefined;
  readonly after: BoolExp | undefined;
  /** The conditions as text; `no row` without a rule. */
  readonly beforeText: string;
  readonly afterText: string;
}

/** One line of the difference between two versions of the metadata. */
export interface Change {
  readonly class: ChangeClass;
  readonly aspect: Aspect;
  /** Undefined for a change that concerns no single role. */
  readonly role: string | undefined;
  /** The table as `name`, or `schema.name` outside the schema public. */
  readonly table: string | undefined;
  readonly command: Operation | undefined;
  /** One sentence without a full stop. A change of a role begins with the name of the role. */
  readonly sentence: string;
  /** Further lines: conditions that are gone or new, or the parts that a summary stands for. */
  readonly details: readonly string[];
  readonly before: Place | undefined;
  readonly after: Place | undefined;
  /** Roles from which the role inherits the changed rule; empty for an own rule. */
  readonly inheritedFrom: readonly string[];
  /** Inheriting roles for which the same sentence holds. */
  readonly inheritedBy: readonly string[];
  readonly rows: RowChange | undefined;
}

type Optional = 'role' | 'table' | 'command' | 'details' | 'before' | 'after' | 'inheritedFrom';

/** Makes a change from its main members; the others have no value. */
export function makeChange(
  given: Pick<Change, 'class' | 'aspect' | 'sentence'> & Partial<Pick<Change, Optional | 'rows'>>,
): Change {
  return {
    ...{ role: undefined, table: undefined, command: undefined, details: [], rows: undefined },
    ...{ before: undefined, after: undefined, inheritedFrom: [], inheritedBy: [] },
    ...given,
  };
}

/** Whether the comparison could not decide about the rows of a change. */
export function isUndecided({ rows }: Pick<Change, 'rows'>): boolean {
  return rows?.verdict === 'undecided';
}

/** Returns the changes with the heaviest class first, and within a class the changes of most roles first. */
export function rankChanges<T extends Change>(changes: readonly T[]): readonly T[] {
  const rank = (one: T) => changeClasses.indexOf(one.class);
  return changes.toSorted(
    (a, b) =>
      rank(a) - rank(b) || widthOf(b) - widthOf(a) || b.inheritedBy.length - a.inheritedBy.length,
  );
}

/** Orders changes within a class: rules that now pass every row first, then other changes of rows. */
function widthOf({ rows, aspect }: Change): number {
  if (rows?.afterText === 'every row' && rows.verdict === 'wider') return 3;
  if (rows) return 2;
  return aspect === 'rule' ? 1 : 0;
}

/** Counts changes by class. */
export function countClasses(changes: readonly Change[]): Readonly<Record<ChangeClass, number>> {
  const count = (name: ChangeClass) => changes.filter((one) => one.class === name).length;
  return {
    ...{ dangerous: count('dangerous'), review: count('review') },
    ...{ breaking: count('breaking'), safe: count('safe') },
  };
}
