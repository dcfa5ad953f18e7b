import type { Table } from '../../model.ts';
import type { Group } from '../layout/flow.ts';
import { type Cell, rowGroups, tagged } from '../layout/row.ts';
import type { Sheet, Tag } from '../layout/sheet.ts';
import { colours, page, styles } from '../layout/style.ts';
import { breakLines, heightOf, type Line } from '../layout/text-lines.ts';
import { totalGroups } from './totals.ts';

const inset = 6;
const padding = 4.5;

const sides = { start: 'left', end: 'right' } as const;

/** The position of a column's text. */
interface Place {
  readonly left: number;
  readonly width: number;
  readonly align: 'left' | 'right';
}

export function tableGroups(sheet: Sheet, parent: Tag, table: Table, accent: string): Group[] {
  const places = placesOf(table);
  if (places.length === 0) return [];
  const tag = sheet.tag(parent, 'Table');
  const caption = captionGroups(sheet, tag, table.caption);
  const titles = table.columns.map(({ title }, index) =>
    breakLines(title, styles.columnTitle, places[index]?.width ?? 0),
  );
  const head = headOf(sheet, tag, { places, titles, accent });
  const body = table.rows.length > 0 ? sheet.tag(tag, 'TBody') : tag;
  const rows = table.rows.map((row, index) => {
    // The totals stay on the page of the last row.
    const attached = index === table.rows.length - 1 && (table.totals ?? []).length > 0;
    return rowOf(sheet, body, row, { places, head: head.repeated, attached });
  });
  const totals = totalGroups(sheet, tag, table);
  const hasGap = caption.length === 0;
  return [...caption, { ...head.first, gap: hasGap ? 16 : 4 }, ...rows.flat(), ...totals];
}

function placesOf({ columns }: Table): readonly Place[] {
  const shares = columns.map(({ width }) => (width > 0 ? width : 0));
  const sum = shares.reduce((total, share) => total + share, 0);
  // A column with a very small or no width gets at least a quarter of the average width, so that its text stays
  // readable.
  const minShare = sum > 0 ? sum / columns.length / 4 : 1;
  const widened = shares.map((share) => Math.max(share, minShare));
  const whole = widened.reduce((total, share) => total + share, 0);
  let left: number = page.left;
  return columns.map(({ align }, index) => {
    const width = (page.contentWidth * (widened[index] ?? 0)) / whole;
    const place = {
      left: left + inset,
      width: Math.max(width - 2 * inset, 1),
      align: sides[align],
    };
    left += width;
    return place;
  });
}

function captionGroups(sheet: Sheet, table: Tag, caption: string): Group[] {
  const lines = breakLines(caption, styles.heading3, page.contentWidth);
  if (lines.length === 0) return [];
  const tagLines = tagged(sheet.tag(table, 'Caption'), lines);
  const cell = {
    lines: tagLines,
    left: page.left,
    width: page.contentWidth,
    align: 'left',
  } as const;
  return rowGroups(sheet, [cell], { gap: 18, attached: true });
}

interface HeadParts {
  readonly places: readonly Place[];
  readonly titles: readonly (readonly Line[])[];
  readonly accent: string;
}

/** Lays out the head twice: as content above the first row, and as an artifact that is repeated on further pages. */
function headOf(sheet: Sheet, table: Tag, { places, titles, accent }: HeadParts) {
  const row = sheet.tag(sheet.tag(table, 'THead'), 'TR');
  // An empty title is tagged as an ordinary cell, because screen readers would announce an empty header for each cell.
  const tags = titles.map(({ length }) =>
    length > 0 ? sheet.tag(row, 'TH', { scope: 'Column' }) : sheet.tag(row, 'TD'),
  );
  const height = Math.max(...titles.map(heightOf), styles.columnTitle.leading) + 2 * padding;
  const background = (top: number) => {
    sheet.box(page.left, top, page.contentWidth, height, colours.shade);
    sheet.rule(top + height - 1, accent, 1);
  };
  const title = (index: number, top: number) => {
    const { left, width, align } = places[index] as Place;
    const lines = titles[index] ?? [];
    sheet.lines(lines, left, top + height - padding - heightOf(lines), width, align);
  };
  const first: Group = {
    height,
    gap: 0,
    attached: true,
    draw(top) {
      sheet.artifact('Layout', () => background(top));
      for (const [index, tag] of tags.entries()) sheet.mark(tag, () => title(index, top));
    },
  };
  const draw = (top: number) =>
    sheet.artifact('Pagination', () => {
      background(top);
      for (const index of places.keys()) title(index, top);
    });
  return { first, repeated: { height, draw } };
}

interface RowParts {
  readonly places: readonly Place[];
  readonly head: NonNullable<Group['head']>;
  readonly attached: boolean;
}

function rowOf(sheet: Sheet, body: Tag, row: readonly string[], parts: RowParts): Group[] {
  const { places, head, attached } = parts;
  const tag = sheet.tag(body, 'TR');
  const cells = places.map((place, index): Cell => {
    const lines = breakLines(row[index] ?? '', styles.cell, place.width);
    const isHead = index === 0 && lines.length > 0;
    const cell = isHead ? sheet.tag(tag, 'TH', { scope: 'Row' }) : sheet.tag(tag, 'TD');
    return { lines: tagged(cell, lines), ...place };
  });
  const background = (top: number, height: number) => sheet.rule(top + height - 0.5, colours.rule);
  return rowGroups(sheet, cells, { padding, attached, head, background });
}
