import type { BoolExp } from '../types/expressions.ts';
import type { TableModel } from '../types/tables.ts';
import { conjuncts, guardedItems } from './visit.ts';

/** Lets every row through. */
export const everyRow: BoolExp = { kind: 'and', items: [] };

/** Whether a filter lets every row through, for every caller. */
export function passesEveryRow(filter: BoolExp): boolean {
  return conjuncts(filter).length === 0;
}

/**
 * Whether a key may lead to any row of a table: to a table that the role sees whole, and to an enum table without a
 * rule of the role, because a role that sees the column sees all of its values.
 */
export function leadsAnywhere(
  filter: BoolExp | undefined,
  remote: TableModel | undefined,
): boolean {
  return filter ? passesEveryRow(filter) : remote?.enum !== undefined;
}

/** All of these expressions hold; one alone stands for itself. */
export function allOf(items: readonly BoolExp[]): BoolExp {
  const [only] = items;
  return only && items.length === 1 ? only : { kind: 'and', items };
}

/**
 * One of several filters lets a row through, each closed by the variables that it lacks itself. Equal for equal sets of
 * filters in any order; a filter that lets every row through replaces the others.
 */
export function anyOf(filters: readonly BoolExp[]): BoolExp {
  const all = new Map(filters.flatMap(alternatives).map((one) => [meaningOf(one), one]));
  const items = [...all].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item);
  if (items.some(passesEveryRow)) return everyRow;
  const [only] = items;
  if (only && items.length === 1) return only;
  return { kind: 'or', items: items.map((item) => ({ kind: 'guarded', item })) };
}

/** The filters that anyOf combined, for a role that inherits from an inheriting role; otherwise the filter. */
function alternatives(filter: BoolExp): readonly BoolExp[] {
  const items = guardedItems(filter);
  return filter.kind === 'or' && items.length === filter.items.length ? items : [filter];
}

/** Whether two expressions mean the same by what is written. */
export function isSame(a: BoolExp, b: BoolExp): boolean {
  return meaningOf(a) === meaningOf(b);
}

/**
 * Members of the model that change no meaning: places in files, descriptions, and the value that Postgres fills in for
 * an argument that a call leaves out.
 */
const meaningless: ReadonlySet<string> = new Set([
  'position',
  'description',
  'rootDescriptions',
  'default',
]);

/** A part of the model as text; the same for what means the same. */
export function meaningOf(part: unknown): string {
  return JSON.stringify(part, (key, value: unknown) => {
    // A webhook's payload is the user's own: its members keep their meaning under any name.
    if (key === 'payload') return JSON.stringify(value);
    if (meaningless.has(key)) return undefined;
    return value instanceof Map || value instanceof Set ? [...value] : value;
  });
}
