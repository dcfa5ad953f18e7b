import type { Signatures } from '../../model.ts';
import type { Group } from '../layout/flow.ts';
import { type Cell, rowGroups, tagged } from '../layout/row.ts';
import type { Sheet, Tag } from '../layout/sheet.ts';
import { colours, page, styles } from '../layout/style.ts';
import { breakLines } from '../layout/text-lines.ts';

const gutter = 40;
const perRow = 2;

/** Lays out a line with a name below it for each party, two side by side. */
export function signatureGroups(sheet: Sheet, parent: Tag, { parties }: Signatures): Group[] {
  if (parties.length === 0) return [];
  const list = sheet.tag(parent, 'L');
  const width = (page.contentWidth - (perRow - 1) * gutter) / perRow;
  const rows = Math.ceil(parties.length / perRow);
  return Array.from({ length: rows }, (_, row) => {
    const names = parties.slice(row * perRow, (row + 1) * perRow);
    const cells = names.map((name, index): Cell => {
      const left = page.left + index * (width + gutter);
      const tag = sheet.tag(sheet.tag(list, 'LI'), 'LBody');
      const lines = tagged(tag, breakLines(name, styles.label, width));
      return { lines, left, width, align: 'left' };
    });
    const background = (top: number) => {
      for (const { left } of cells) sheet.rule(top, colours.line, 0.75, left, width);
    };
    return rowGroups(sheet, cells, { gap: 48, padding: 4, background });
  }).flat();
}
