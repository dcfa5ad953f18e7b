import { operations } from '../../types/rules.ts';
import type { Matrix, MatrixEntry } from '../build-matrix.ts';

/** The meaning of the marks of a cell, for a reader of the grid. */
export const legend =
  'S select, I insert, U update, D delete; a small letter: some rows or columns only; ^ inherited; - nothing';

/** Returns the cells of the grid of tables and roles: `sIu-^` by table and role. */
export function gridCells({ entries }: Matrix): (table: string, role: string) => string {
  const byPlace = Map.groupBy(entries, ({ table, role }) => JSON.stringify([table, role]));
  return (table, role) => cell(byPlace.get(JSON.stringify([table, role])) ?? []);
}

function cell(entries: readonly MatrixEntry[]): string {
  if (entries.length === 0) return '-';
  const marks = operations.map((operation) => {
    const found = entries.find((entry) => entry.operation === operation);
    const letter = operation.charAt(0);
    if (!found) return '-';
    return found.isWhole ? letter.toUpperCase() : letter;
  });
  return marks.join('') + (entries.some(({ from }) => from.length > 0) ? '^' : '');
}
