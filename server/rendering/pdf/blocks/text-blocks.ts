import type { Heading, List, Paragraph } from '../../model.ts';
import type { Group } from '../layout/flow.ts';
import { rowGroups, tagged } from '../layout/row.ts';
import type { Sheet, Tag } from '../layout/sheet.ts';
import { page, styles } from '../layout/style.ts';
import { breakLines, type Line } from '../layout/text-lines.ts';

const indent = 20;

/** Lays out a heading, which stays on the page of the block after it. */
export function headingGroups(sheet: Sheet, parent: Tag, { level, text }: Heading): Group[] {
  const style = level === 2 ? styles.heading2 : styles.heading3;
  const lines = breakLines(text, style, page.contentWidth);
  if (lines.length === 0) return [];
  const tagLines = tagged(sheet.tag(parent, `H${level}`), lines);
  const cell = {
    lines: tagLines,
    left: page.left,
    width: page.contentWidth,
    align: 'left',
  } as const;
  return rowGroups(sheet, [cell], { gap: level === 2 ? 20 : 14, attached: true });
}

export function paragraphGroups(sheet: Sheet, parent: Tag, { text }: Paragraph): Group[] {
  const lines = breakLines(text, styles.body, page.contentWidth);
  if (lines.length === 0) return [];
  return lineGroups(sheet, sheet.tag(parent, 'P'), lines, { gap: 8, left: page.left });
}

export function listGroups(sheet: Sheet, parent: Tag, { ordered, items }: List): Group[] {
  const shown = items.filter((item) => item !== '');
  if (shown.length === 0) return [];
  const list = sheet.tag(parent, 'L');
  return shown.flatMap((text, index) => {
    const item = sheet.tag(list, 'LI');
    const label = breakLines(ordered ? `${index + 1}.` : '\u2022', styles.body, indent * 2);
    const labelTag = sheet.tag(item, 'Lbl');
    const lines = breakLines(text, styles.body, page.contentWidth - indent);
    const body = sheet.tag(item, 'LBody');
    const gap = index === 0 ? 8 : 3;
    const groups = lineGroups(sheet, body, lines, { gap, left: page.left + indent });
    const first = groups[0] ?? { height: styles.body.leading, gap, attached: false, draw() {} };
    const draw = (top: number) => {
      sheet.mark(labelTag, () => sheet.lines(label, page.left, top, indent - 6, 'right'));
      first.draw(top);
    };
    return [{ ...first, draw }, ...groups.slice(1)];
  });
}

/** Makes a group for each line. The first two lines stay on one page, and so do the last two. */
function lineGroups(
  sheet: Sheet,
  tag: Tag,
  lines: readonly Line[],
  { gap, left }: { readonly gap: number; readonly left: number },
): Group[] {
  const width = page.left + page.contentWidth - left;
  const last = lines.length - 1;
  return lines.map((line, index) => ({
    height: line.style.leading,
    gap: index === 0 ? gap : 0,
    attached: index < last && (index === 0 || index === last - 1),
    draw: (top) => sheet.mark(tag, () => sheet.line(line, left, top, width, 'start')),
  }));
}
