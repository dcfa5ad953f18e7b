import type { Notice } from '../../model.ts';
import type { Group } from '../layout/flow.ts';
import { rowGroups, tagged } from '../layout/row.ts';
import type { Sheet, Tag } from '../layout/sheet.ts';
import { colours, page, styles } from '../layout/style.ts';
import { breakLines, type Line } from '../layout/text-lines.ts';

const inset = 12;
const padding = 9;

/** Lays out a notice on a coloured background with a bar at its side. */
export function noticeGroups(
  sheet: Sheet,
  parent: Tag,
  { title, text }: Notice,
  accent: string,
): Group[] {
  const width = page.contentWidth - 2 * inset;
  const left = page.left + inset;
  const heading = breakLines(title, styles.strong, width);
  const body = breakLines(text, styles.body, width);
  if (heading.length + body.length === 0) return [];
  const section = sheet.tag(parent, 'Sect');
  const background = (top: number, height: number) => {
    sheet.box(page.left, top, page.contentWidth, height, colours.shade);
    sheet.box(page.left, top, 3, height, accent);
  };
  // The background boxes adjoin, so they look like one box.
  const shaded = (plain: readonly Line[]) => {
    if (plain.length === 0) return [];
    const lines = tagged(sheet.tag(section, 'P'), plain);
    return rowGroups(sheet, [{ lines, left, width, align: 'start' }], {
      attached: true,
      background,
    });
  };
  const edge = (gap: number, attached: boolean): Group => ({
    height: padding,
    gap,
    attached,
    draw: (top) => sheet.artifact('Layout', () => background(top, padding)),
  });
  return [edge(14, true), ...shaded(heading), ...shaded(body), edge(0, false)];
}
