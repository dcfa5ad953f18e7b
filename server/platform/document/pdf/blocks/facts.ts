import type { Facts } from '../../model.ts';
import type { Group } from '../flow.ts';
import { type Cell, rowGroups } from '../row.ts';
import type { Sheet, Tag } from '../sheet.ts';
import { page, styles } from '../style.ts';
import { breakLines } from '../text-lines.ts';

const columns = 4;
const gutter = 16;
const columnWidth = (page.contentWidth - (columns - 1) * gutter) / columns;
const termWidth = 140;

type Item = Facts['items'][number];

/** Short ones side by side, each below its term; where one is long, each in a row of its own. */
export function factsGroups(sheet: Sheet, parent: Tag, { items }: Facts): Group[] {
  if (items.length === 0) return [];
  const list = sheet.tag(parent, 'L');
  if (!items.every(isShort)) {
    return items.flatMap((item, index) => {
      const cells = [term(sheet, list, item, page.left, termWidth)];
      const left = page.left + termWidth + gutter;
      return rowGroups(sheet, withValue(sheet, cells, item, left), { gap: index === 0 ? 14 : 3 });
    });
  }
  const rows = Math.ceil(items.length / columns);
  return Array.from({ length: rows }, (_, row) =>
    gridRow(sheet, list, items.slice(row * columns, (row + 1) * columns), row === 0),
  );
}

function isShort({ term: label, value }: Item): boolean {
  const lines = breakLines(value, styles.strong, columnWidth).length;
  return lines <= 1 && breakLines(label, styles.label, columnWidth).length <= 1;
}

function gridRow(sheet: Sheet, list: Tag, items: readonly Item[], isFirst: boolean): Group {
  const drawn = items.map((item, index) => {
    const left = page.left + index * (columnWidth + gutter);
    const cell = term(sheet, list, item, left, columnWidth);
    const value = breakLines(item.value, styles.strong, columnWidth);
    return { left, cell, value, tag: sheet.tag(cell.item, 'LBody') };
  });
  return {
    height: styles.label.leading + styles.strong.leading,
    gap: isFirst ? 16 : 9,
    attached: false,
    draw(top) {
      for (const { left, cell, value, tag } of drawn) {
        sheet.mark(cell.tag, () => sheet.lines(cell.lines, left, top, columnWidth, 'start'));
        const below = top + styles.label.leading;
        sheet.mark(tag, () => sheet.lines(value, left, below, columnWidth, 'start'));
      }
    },
  };
}

interface Term extends Cell {
  readonly item: Tag;
}

function term(sheet: Sheet, list: Tag, { term: text }: Item, left: number, width: number): Term {
  const item = sheet.tag(list, 'LI');
  const tag = sheet.tag(item, 'Lbl');
  return { item, tag, lines: breakLines(text, styles.label, width), left, width, align: 'start' };
}

function withValue(sheet: Sheet, [label]: readonly Term[], { value }: Item, left: number): Cell[] {
  if (!label) return [];
  const width = page.left + page.contentWidth - left;
  const tag = sheet.tag(label.item, 'LBody');
  return [
    label,
    { tag, lines: breakLines(value, styles.body, width), left, width, align: 'start' },
  ];
}
