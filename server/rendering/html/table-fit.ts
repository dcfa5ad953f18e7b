import type { Table } from '../model.ts';

/** How a table finds room: as it is, in smaller letters, or in these and with words broken wherever it has to be. */
export type TableFit = 'roomy' | 'tight' | 'broken';

/** Longer words are broken rather than let a column grow; in characters. */
const longest = 24;
/** What a broken word takes all the same. */
const leastOfLong = 8;
/** Space between two columns. */
const gap = 2;
/** What has room side by side on paper, and on screens too wide for cards: of usual letters, and of smaller ones. */
const room = { roomy: 80, tight: 98 };
/** How much wider the letters of the total are that counts. */
const emphasis = 1.3;

/** Whether a text has a word that is broken wherever the table has no room for it. */
export function hasLongWord(text: string): boolean {
  return widestWord(text) > longest;
}

/** Judges by the characters of the longest words, since letters are as wide as the reader's font has them. */
export function fitOf({ columns, rows, totals = [] }: Table): TableFit {
  const widths = columns.map(({ title }) => widthOf(title));
  for (const row of rows) {
    for (const [index, width] of widths.entries()) {
      widths[index] = Math.max(width, widthOf(row[index] ?? ''));
    }
  }
  const sums = totals.map(({ value, strong }) => widthOf(value) * (strong ? emphasis : 1));
  const last = widths.length - 1;
  widths[last] = Math.max(widths[last] ?? 0, ...sums);
  const needed = widths.reduce((sum, width) => sum + width + gap, -gap);
  if (needed <= room.roomy) return 'roomy';
  return needed <= room.tight ? 'tight' : 'broken';
}

function widthOf(text: string): number {
  const width = widestWord(text);
  return width > longest ? leastOfLong : width;
}

/** By hand, since splitting thousands of cells would take longer than all the rest. */
function widestWord(text: string): number {
  let widest = 0;
  let start = 0;
  for (let at = 0; at <= text.length; at += 1) {
    if (at < text.length && !isSpace(text.charCodeAt(at))) continue;
    widest = Math.max(widest, at - start);
    start = at + 1;
  }
  return widest;
}

/** A space, a tab or a line end; no-break spaces hold words together. */
function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}
