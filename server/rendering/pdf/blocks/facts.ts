import type { Facts } from '../../model.ts';
import type { Group } from '../layout/flow.ts';
import { type Cell, rowGroups, tagged } from '../layout/row.ts';
import type { Sheet, Tag } from '../layout/sheet.ts';
import { page, styles } from '../layout/style.ts';
import { breakLines } from '../layout/text-lines.ts';

const columns = 4;
const gutter = 16;
const columnWidth = (page.contentWidth - (columns - 1) * gutter) / columns;
const termWidth = 140;

type Item = Facts['items'][number];

/** Lays out facts: side by side with the term above the value or, if one is long, each in its own row. */
export function factsGroups(sheet: Sheet, parent: Tag, { items }: Facts): Group[] {
  if (items.length === 0) return [];
  const list = sheet.tag(parent, 'L');
  if (!items.every(isShort)) {
    return items.flatMap((item, index) =>
      rowGroups(sheet, wideRow(sheet, list, item), { gap: index === 0 ? 14 : 3 }),
    );
  }
  const rows = Math.ceil(items.length / columns);
  return Array.from({ length: rows }, (_, row) => {
    const shown = items.slice(row * columns, (row + 1) * columns);
    const cells = shown.map((item, index) => gridCell(sheet, list, item, index));
    return rowGroups(sheet, cells, { gap: row === 0 ? 16 : 9 });
  }).flat();
}

function isShort({ term, value }: Item): boolean {
  const lines = breakLines(value, styles.strong, columnWidth).length;
  return lines <= 1 && breakLines(term, styles.label, columnWidth).length <= 1;
}

function gridCell(sheet: Sheet, list: Tag, { term, value }: Item, index: number): Cell {
  const item = sheet.tag(list, 'LI');
  const label = breakLines(term, styles.label, columnWidth);
  const text = breakLines(value, styles.strong, columnWidth);
  const lines = [
    ...tagged(sheet.tag(item, 'Lbl'), label),
    ...tagged(sheet.tag(item, 'LBody'), text),
  ];
  const left = page.left + index * (columnWidth + gutter);
  return { lines, left, width: columnWidth, align: 'left' };
}

function wideRow(sheet: Sheet, list: Tag, { term, value }: Item): readonly Cell[] {
  const item = sheet.tag(list, 'LI');
  const label = tagged(sheet.tag(item, 'Lbl'), breakLines(term, styles.label, termWidth));
  const left = page.left + termWidth + gutter;
  const width = page.right - left;
  const text = tagged(sheet.tag(item, 'LBody'), breakLines(value, styles.body, width));
  return [
    { lines: label, left: page.left, width: termWidth, align: 'left' },
    { lines: text, left, width, align: 'left' },
  ];
}
