import type { BoolExp } from '../types/expressions.ts';
import { passesEveryRow } from './every-row.ts';
import { meaningOf } from './meaning.ts';

const everything: BoolExp = { kind: 'and', items: [] };

/**
 * That one of several filters lets a row through, each closed by the variables that it lacks itself. Equal for equal
 * sets of filters, whatever their order; a filter that lets every row through takes the others' place.
 */
export function anyOf(filters: readonly BoolExp[]): BoolExp {
  const all = new Map(filters.flatMap(alternatives).map((one) => [meaningOf(one), one]));
  const items = [...all].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item);
  if (items.some(passesEveryRow)) return everything;
  const [only] = items;
  if (only && items.length === 1) return only;
  return { kind: 'or', items: items.map((item) => ({ kind: 'guarded', item })) };
}

/** Whether two expressions are written alike. */
export function isSame(a: BoolExp, b: BoolExp): boolean {
  return meaningOf(a) === meaningOf(b);
}

/** What anyOf put together, of a role that inherits itself; else the filter. */
function alternatives(filter: BoolExp): readonly BoolExp[] {
  if (filter.kind !== 'or') return [filter];
  const items = filter.items.flatMap((one) => (one.kind === 'guarded' ? [one.item] : []));
  return items.length === filter.items.length ? items : [filter];
}
