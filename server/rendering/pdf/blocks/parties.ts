import type { Party } from '../../model.ts';
import type { Group } from '../layout/flow.ts';
import { type Cell, rowGroups, type TaggedLine, tagged } from '../layout/row.ts';
import type { Sheet, Tag } from '../layout/sheet.ts';
import { page, styles } from '../layout/style.ts';
import { breakLines, continued } from '../layout/text-lines.ts';

const gutter = 20;
const perRow = 3;

/** Lays out parties side by side, each with its label, name and address. */
export function partyGroups(sheet: Sheet, parent: Tag, parties: readonly Party[]): Group[] {
  const present = parties.filter(({ lines }) => lines.some((line) => line !== ''));
  const count = Math.min(Math.max(present.length, 2), perRow);
  const width = (page.contentWidth - (count - 1) * gutter) / count;
  const rows = Math.ceil(present.length / perRow);
  return Array.from({ length: rows }, (_, row) => {
    const shown = present.slice(row * perRow, (row + 1) * perRow);
    const cells = shown.map((party, index): Cell => {
      const left = page.left + index * (width + gutter);
      return { lines: partyLines(sheet, parent, party, width), left, width, align: 'left' };
    });
    return rowGroups(sheet, cells, { gap: row === 0 ? 20 : 12 });
  }).flat();
}

function partyLines(
  sheet: Sheet,
  parent: Tag,
  { label, lines }: Party,
  width: number,
): readonly TaggedLine[] {
  const section = sheet.tag(parent, 'Sect');
  const heading = breakLines(label, styles.label, width);
  const address = continued(
    lines.map((line, index) => breakLines(line, index === 0 ? styles.strong : styles.body, width)),
  );
  return [
    ...(heading.length > 0 ? tagged(sheet.tag(section, 'H2'), heading) : []),
    ...tagged(sheet.tag(section, 'P'), address),
  ];
}
