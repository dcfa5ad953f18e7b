import { escapeMarkdown } from '../../text/markdown.ts';
import type { Matrix } from '../build-matrix.ts';
import { entryWords } from './entry-words.ts';
import { gridCells, legend } from './grid.ts';

/** Formats a matrix as Markdown: the grid, and a table of words for each table that has rules. */
export function matrixMarkdown(matrix: Matrix): readonly string[] {
  const { roles, tables, entries } = matrix;
  const cellOf = gridCells(matrix);
  const byTable = Map.groupBy(entries, ({ table }) => table);
  return [
    '# Permissions',
    '',
    escapeMarkdown(`${legend}.`),
    '',
    row(['table', ...roles.map(({ name }) => name)]),
    rule(roles.length + 1),
    ...tables.map(({ key }) => row([key, ...roles.map(({ name }) => cellOf(key, name))])),
    ...[...byTable].flatMap(([table, ofTable]) => [
      '',
      `## ${escapeMarkdown(table)}`,
      '',
      row(['role', 'operation', 'rule']),
      rule(3),
      ...ofTable.map((entry) => row([entry.role, entry.operation, entryWords(entry).join('; ')])),
    ]),
  ];
}

function row(cells: readonly string[]): string {
  return `| ${cells.map(escapeMarkdown).join(' | ')} |`;
}

function rule(columns: number): string {
  return `|${'---|'.repeat(columns)}`;
}
