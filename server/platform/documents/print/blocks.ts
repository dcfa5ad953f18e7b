import type { Block, Column, Facts, Total } from '../../../rendering/model.ts';
import type { Row } from '../read/row-reader.ts';

/** Makes a block of terms and values; returns no block when all values are missing. */
export function facts(
  items: readonly (readonly [term: string, value: string | undefined])[],
): readonly Facts[] {
  const known = items.flatMap(([term, value]) => (value === undefined ? [] : [{ term, value }]));
  return known.length > 0 ? [{ kind: 'facts', items: known }] : [];
}

/** A column of a table. The column is omitted when the reader may not see the columns that it needs. */
export interface ColumnOf extends Column {
  /** The required columns of the rows. */
  readonly needs: readonly string[];
  text(row: Row): string | undefined;
}

/** Makes a table; returns no block without rows, or when the reader sees no column. */
export function table(
  caption: string,
  rows: readonly Row[] | undefined,
  columns: readonly ColumnOf[],
  totals: readonly Total[] = [],
): readonly Block[] {
  const [first] = rows ?? [];
  if (!rows || !first) return [];
  const shown = columns.filter(({ needs }) => needs.every((name) => first[name] !== undefined));
  if (shown.length === 0) return [];
  return [
    {
      kind: 'table',
      caption,
      columns: shown.map(({ title, align, width }) => ({ title, align, width })),
      rows: rows.map((row) => shown.map(({ text }) => text(row) ?? '')),
      ...(totals.length > 0 && { totals }),
    },
  ];
}

/** Splits user-defined text into paragraphs at empty lines. */
export function paragraphs(text: string | undefined): readonly Block[] {
  return (text ?? '')
    .split(/\r?\n[^\S\n]*\r?\n/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => ({ kind: 'paragraph', text: part }));
}

/** Puts a heading before blocks; returns nothing without blocks. */
export function section(text: string, blocks: readonly Block[]): readonly Block[] {
  return blocks.length > 0 ? [{ kind: 'heading', level: 2, text }, ...blocks] : [];
}
