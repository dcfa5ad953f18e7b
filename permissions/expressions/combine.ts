import type { BoolExp } from '../types/expressions.ts';
import type { TableModel } from '../types/tables.ts';
import { conjuncts, guardedItems } from './visit.ts';

/** The filter that passes every row. */
export const everyRow: BoolExp = { kind: 'and', items: [] };

/** Returns whether a filter passes every row for every caller. */
export function passesEveryRow(filter: BoolExp): boolean {
  return conjuncts(filter).length === 0;
}

/**
 * Returns whether a role may let a foreign key refer to any row of a table, so that no check is needed. That is the
 * case when the role's select filter on the table passes every row. It is also the case for an enum table without a
 * rule of the role, because a role that sees a column of the enum sees all values of the enum.
 */
export function leadsAnywhere(
  filter: BoolExp | undefined,
  remote: TableModel | undefined,
): boolean {
  return filter ? passesEveryRow(filter) : remote?.enum !== undefined;
}

/** Combines expressions so that all of them must hold. A single expression is returned as it is. */
export function allOf(items: readonly BoolExp[]): BoolExp {
  const [only] = items;
  return only && items.length === 1 ? only : { kind: 'and', items };
}

/**
 * Combines filters so that a row passes when at least one filter passes it. A missing session variable disables only
 * the filters that read the variable. Equal sets of filters give equal results in any order. A filter that passes every
 * row replaces all others.
 */
export function anyOf(filters: readonly BoolExp[]): BoolExp {
  const all = new Map(filters.flatMap(alternatives).map((one) => [meaningOf(one), one]));
  const items = [...all].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item);
  if (items.some(passesEveryRow)) return everyRow;
  const [only] = items;
  if (only && items.length === 1) return only;
  return { kind: 'or', items: items.map((item) => ({ kind: 'guarded', item })) };
}

/**
 * Returns the filters that `anyOf` combined into a filter; for any other filter, the filter itself. Combined filters so
 * stay flat when a role inherits from an inheriting role.
 */
function alternatives(filter: BoolExp): readonly BoolExp[] {
  const items = guardedItems(filter);
  return filter.kind === 'or' && items.length === filter.items.length ? items : [filter];
}

/**
 * Returns whether two expressions mean the same because they are written alike. Positions and descriptions do not
 * count.
 */
export function isSame(a: BoolExp, b: BoolExp): boolean {
  return meaningOf(a) === meaningOf(b);
}

/**
 * Members of the model that do not change the compiled rules: positions, descriptions, and the default of a function's
 * argument, which Postgres itself fills in.
 */
const meaningless: ReadonlySet<string> = new Set([
  'position',
  'description',
  'rootDescriptions',
  'default',
]);

/**
 * Returns part of the model as text, for comparison. Parts that differ only in positions, descriptions or defaults have
 * the same text.
 */
export function meaningOf(part: unknown): string {
  return JSON.stringify(part, (key, value: unknown) => {
    // The payload of a webhook is user data, so its members "position" and "description" count.
    if (key === 'payload') return JSON.stringify(value);
    if (meaningless.has(key)) return undefined;
    return value instanceof Map || value instanceof Set ? [...value] : value;
  });
}
