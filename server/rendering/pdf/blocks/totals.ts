import type { Table, Total } from '../../model.ts';
import type { Group } from '../layout/flow.ts';
import type { Sheet, Tag } from '../layout/sheet.ts';
import { colours, page, styles } from '../layout/style.ts';
import { breakLines, heightOf } from '../layout/text-lines.ts';

const inset = 6;
const padding = 3;
const width = page.contentWidth * 0.58;
const labelWidth = width * 0.5;
const valueWidth = width - labelWidth - 2 * inset;

interface TotalRow {
  readonly height: number;
  draw(top: number): void;
}

/** Lays out the totals at the right, in one group that is never divided between pages. */
export function totalGroups(sheet: Sheet, table: Tag, { totals = [], columns }: Table): Group[] {
  if (totals.length === 0) return [];
  const foot = sheet.tag(table, 'TFoot');
  const rows = totals.map((total) => totalRow(sheet, foot, total, columns.length));
  const height = rows.reduce((sum, row) => sum + row.height, 0);
  const draw = (top: number) => {
    let at = top;
    for (const row of rows) {
      row.draw(at);
      at += row.height;
    }
  };
  return [{ height, gap: 5, attached: false, draw }];
}

function totalRow(sheet: Sheet, foot: Tag, total: Total, columns: number): TotalRow {
  const style = total.strong ? styles.grandTotal : styles.total;
  const label = breakLines(total.label, style, labelWidth);
  const value = breakLines(total.value, style, valueWidth);
  const left = page.right - width + inset;
  const height = Math.max(heightOf(label), heightOf(value), style.leading) + 2 * padding;
  const row = sheet.tag(foot, 'TR');
  const labelTag = sheet.tag(row, 'TH', { scope: 'Row' });
  spanColumns(labelTag, columns - 1);
  const valueTag = sheet.tag(row, 'TD');
  return {
    height,
    draw(top) {
      if (total.strong) {
        sheet.artifact('Layout', () =>
          sheet.rule(top, colours.line, 0.75, page.right - width, width),
        );
      }
      const at = top + padding;
      sheet.mark(labelTag, () => sheet.lines(label, left, at, labelWidth, 'left'));
      const valueLeft = left + labelWidth;
      sheet.mark(valueTag, () => sheet.lines(value, valueLeft, at, valueWidth, 'right'));
    },
  };
}

/** Sets the column span in the element's dictionary, because pdfkit has no option for it. */
function spanColumns(tag: Tag, columns: number): void {
  if (columns < 2) return;
  const { data } = (tag as Tag & { dictionary: { data: { A: object } } }).dictionary;
  data.A = { ...data.A, ColSpan: columns };
}
