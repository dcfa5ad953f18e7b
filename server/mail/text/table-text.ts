import type { Table } from '../../rendering/model.ts';
import { aligned, padded, widthOf } from './columns.ts';

/** Maximum width of a table in columns of text. Wider tables are printed row by row. */
const maxWidth = 72;
const gap = '  ';

/** Formats a table with its totals: in columns if they fit, otherwise each row as a group of lines. */
export function tableText(table: Table): string {
  const { caption, columns, rows, totals = [] } = table;
  if (columns.length === 0) return '';
  const lines = columns.map(({ title }) => title);
  const widths = columns.map((_, index) =>
    Math.max(...[lines, ...rows].map((row) => widthOf(row[index] ?? ''))),
  );
  const width = widths.reduce((sum, one) => sum + one, gap.length * (widths.length - 1));
  const isPlain = rows.every((row) => row.every((cell) => !cell.includes('\n')));
  const body = isPlain && width <= maxWidth ? inColumns(table, widths) : rowByRow(table);
  const sums = aligned(totals.map(({ label, value }) => [`${label}:`, value]));
  return [caption, body, sums].filter((part) => part !== '').join('\n\n');
}

function inColumns({ columns, rows }: Table, widths: readonly number[]): string {
  const line = (cells: readonly string[]) =>
    columns
      .map(({ align }, index) => padded(cells[index] ?? '', widths[index] ?? 0, align))
      .join(gap)
      .trimEnd();
  const rule = widths.map((width) => '-'.repeat(width)).join(gap);
  return [line(columns.map(({ title }) => title)), rule, ...rows.map(line)].join('\n');
}

function rowByRow({ columns, rows }: Table): string {
  return rows
    .map((row) =>
      aligned(
        columns.flatMap(({ title }, index) => {
          const cell = row[index] ?? '';
          return cell === '' ? [] : [[title === '' ? '' : `${title}:`, cell] as const];
        }),
      ),
    )
    .join('\n\n');
}
