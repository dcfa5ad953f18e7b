import type { Block, Column, Facts, Total } from '../../../rendering/model.ts';
import type { Row } from '../read/reader.ts';

/** Terms with what is known of them, in a block or in none. */
export function facts(
  items: readonly (readonly [term: string, value: string | undefined])[],
): readonly Facts[] {
  const known = items.flatMap(([term, value]) => (value === undefined ? [] : [{ term, value }]));
  return known.length > 0 ? [{ kind: 'facts', items: known }] : [];
}

/** A column of a table, there where its reader may see what it shows. */
export interface ColumnOf extends Column {
  /** Columns of the rows that it cannot do without. */
  readonly needs: readonly string[];
  text(row: Row): string | undefined;
}

/** A table of rows, in a block; none where there are no rows or its reader sees no column. */
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

/** Text that people have entered, paragraphs apart by empty lines. */
export function paragraphs(text: string | undefined): readonly Block[] {
  return (text ?? '')
    .split(/\r?\n[^\S\n]*\r?\n/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => ({ kind: 'paragraph', text: part }));
}

/** What belongs under a heading, with it; nothing where there is nothing. */
export function section(text: string, blocks: readonly Block[]): readonly Block[] {
  return blocks.length > 0 ? [{ kind: 'heading', level: 2, text }, ...blocks] : [];
}
