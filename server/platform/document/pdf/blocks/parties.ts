import type { Party } from '../../model.ts';
import type { Group } from '../flow.ts';
import { type Cell, rowGroups } from '../row.ts';
import type { Sheet, Tag } from '../sheet.ts';
import { page, styles } from '../style.ts';
import { breakLines } from '../text-lines.ts';

const gutter = 20;
const perRow = 3;

/** Side by side: a label each, the name, and the lines of the address. */
export function partyGroups(sheet: Sheet, parent: Tag, parties: readonly Party[]): Group[] {
  const present = parties.filter(({ lines }) => lines.some((line) => line !== ''));
  const count = Math.min(Math.max(present.length, 2), perRow);
  const width = (page.contentWidth - (count - 1) * gutter) / count;
  const rows = Math.ceil(present.length / perRow);
  return Array.from({ length: rows }, (_, row) => {
    const shown = present.slice(row * perRow, (row + 1) * perRow);
    const cells = shown.map((party, index) => {
      return partyCells(sheet, parent, party, page.left + index * (width + gutter), width);
    });
    const labels = cells.map(([label]) => label);
    const addresses = cells.map(([, address]) => address);
    // Structure is by party: what is drawn label by label is still heard label, then address.
    return [
      ...rowGroups(sheet, labels, { gap: row === 0 ? 20 : 12, attached: true }),
      ...rowGroups(sheet, addresses),
    ];
  }).flat();
}

function partyCells(
  sheet: Sheet,
  parent: Tag,
  { label, lines }: Party,
  left: number,
  width: number,
): [label: Cell, address: Cell] {
  const section = sheet.tag(parent, 'Sect');
  const place = { left, width, align: 'start' } as const;
  const address = lines.flatMap((line, index) =>
    breakLines(line, index === 0 ? styles.strong : styles.body, width),
  );
  return [
    { ...place, tag: sheet.tag(section, 'H2'), lines: breakLines(label, styles.label, width) },
    { ...place, tag: sheet.tag(section, 'P'), lines: address },
  ];
}
