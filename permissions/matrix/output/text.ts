import { shown } from '../../text/characters.ts';
import type { Matrix, MatrixEntry } from '../build-matrix.ts';
import { type ColumnPlace, usesOfColumn } from '../find-column.ts';
import { entryWords } from './entry-words.ts';
import { gridCells, legend } from './grid.ts';

/**
 * Formats a matrix as a grid of one line per table and one column per role. Roles have numbers, because twenty names do
 * not fit beside each other.
 */
export function gridText(matrix: Matrix): readonly string[] {
  const { roles, tables } = matrix;
  const cellOf = gridCells(matrix);
  const first = Math.max(...tables.map(({ key }) => key.length), 0);
  const line = (name: string, cells: readonly string[]) =>
    shown([name.padEnd(first), ...cells.map((text) => text.padEnd(5))].join('  ')).trimEnd();
  return [
    ...roles.map(({ name, inherits }, index) =>
      shown(`${String(index + 1).padEnd(4)}${name}${inheritance(inherits)}`),
    ),
    legend,
    '',
    line(
      '',
      roles.map((_, index) => String(index + 1)),
    ),
    ...tables.map(({ key }) =>
      line(
        key,
        roles.map(({ name }) => cellOf(key, name)),
      ),
    ),
  ];
}

function inheritance(inherits: readonly string[]): string {
  return inherits.length > 0 ? `, inherits from ${inherits.join(', ')}` : '';
}

/** Formats every rule of a matrix in words, by table and role. */
export function wordsText({ entries }: Matrix): readonly string[] {
  if (entries.length === 0) return ['no rules'];
  const byTable = Map.groupBy(entries, ({ table }) => table);
  return [...byTable].flatMap(([table, ofTable]) => [
    shown(table),
    ...[...Map.groupBy(ofTable, ({ role }) => role)].flatMap(([role, ofRole]) => [
      shown(`  ${role}`),
      ...ofRole.map((entry) => shown(`    ${entry.operation}: ${entryWords(entry).join('; ')}`)),
    ]),
  ]);
}

/** Formats the answer to "who may use this column?": a line per role and operation, then the roles without any use. */
export function columnText(matrix: Matrix, place: ColumnPlace): readonly string[] {
  const uses = usesOfColumn(matrix, place);
  const without = matrix.roles.filter(({ name }) => !uses.some(({ entry }) => entry.role === name));
  return [
    shown(`${place.table}.${place.column}`),
    ...uses.map(({ entry, column }) =>
      shown(
        `  ${entry.role} may ${verbs[entry.operation]} it: ${column.rows ?? entry.rows}${origin(column.from)}`,
      ),
    ),
    ...(without.length > 0
      ? [shown(`  not used by ${without.map(({ name }) => name).join(', ')}`)]
      : []),
  ];
}

const verbs: Readonly<Record<MatrixEntry['operation'], string>> = {
  select: 'see',
  insert: 'insert',
  update: 'change',
  delete: 'delete',
};

function origin(from: readonly string[]): string {
  return from.length > 0 ? ` (inherited from ${from.join(', ')})` : '';
}
