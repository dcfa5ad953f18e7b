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
 * Returns whether a foreign key may refer to any row of a table. That holds for tables that the role sees whole. It
 * also holds for enum tables without a rule of the role, because a role that sees the column sees all values.
 */
export function leadsAnywhere(
  filter: BoolExp | undefined,
  remote: TableModel | undefined,
): boolean {
  return filter ? passesEveryRow(filter) : remote?.enum !== undefined;
}

/** Requires all of these expressions. A single expression is returned as it is. */
export function allOf(items: readonly BoolExp[]): BoolExp {
  const [only] = items;
  return only && items.length === 1 ? only : { kind: 'and', items };
}

/**
 * Passes a row that at least one filter passes. A missing session variable closes only the filters that read it.
 * Equal sets of filters give equal results in any order. A filter that passes every row replaces all others.
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
 * Returns the filters that anyOf combined, if this filter is its result (for a role that inherits from an inheriting
 * role). Otherwise returns the filter itself.
 */
function alternatives(filter: BoolExp): readonly BoolExp[] {
  const items = guardedItems(filter);
  return filter.kind === 'or' && items.length === filter.items.length ? items : [filter];
}

/** Returns whether two expressions are written alike, apart from members without a meaning. */
export function isSame(a: BoolExp, b: BoolExp): boolean {
  return meaningOf(a) === meaningOf(b);
}

/**
 * Members of the model that do not change its meaning: positions, descriptions, and the default that Postgres fills
 * in for an omitted argument.
 */
const meaningless: ReadonlySet<string> = new Set([
  'position',
  'description',
  'rootDescriptions',
  'default',
]);

/** Returns a part of the model as text. Parts with the same meaning have the same text. */
export function meaningOf(part: unknown): string {
  return JSON.stringify(part, (key, value: unknown) => {
    // The payload of a webhook is user data. A member called "position" or "description" has a meaning there.
    if (key === 'payload') return JSON.stringify(value);
    if (meaningless.has(key)) return undefined;
    return value instanceof Map || value instanceof Set ? [...value] : value;
  });
}
