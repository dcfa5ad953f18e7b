import type { BoolExp } from '../types/expressions.ts';
import type { TableModel } from '../types/tables.ts';

/** Whether a filter lets every row through, whoever asks. */
export function passesEveryRow(filter: BoolExp): boolean {
  return filter.kind === 'and' && filter.items.every(passesEveryRow);
}

/**
 * Whether a key may lead to any row of a table: to one that the role sees wholly, and to an enum table without a rule
 * of the role, for whoever sees the column sees all of its values.
 */
export function leadsAnywhere(
  filter: BoolExp | undefined,
  remote: TableModel | undefined,
): boolean {
  return filter ? passesEveryRow(filter) : remote?.enum !== undefined;
}
