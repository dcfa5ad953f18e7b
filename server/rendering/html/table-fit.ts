import type { Table } from '../model.ts';

/**
 * The style of a table: `roomy` with letters of usual size, `tight` with small letters, `broken` with small letters and
 * broken words.
 */
export type TableFit = 'roomy' | 'tight' | 'broken';

/** Maximum characters of an unbroken word. A longer word is broken, so that its column does not grow. */
const maxWordLength = 24;
/** The minimum column width for a word that may be broken, in characters. */
const minBrokenWidth = 8;
/** The space between two columns, in characters. */
const gap = 2;
/**
 * The characters that fit side by side on paper and on screens too wide for cards, with usual and with small letters.
 */
const room = { roomy: 80, tight: 98 };
/** How much wider a letter of the emphasized total is than other letters. */
const emphasis = 1.3;

/** Returns true when a text has a word that may be broken. */
export function hasLongWord(text: string): boolean {
  return widestWord(text) > maxWordLength;
}

/** Chooses the style by the characters of the longest words, because the widths of the reader's font are unknown. */
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
  return width > maxWordLength ? minBrokenWidth : width;
}

/** Returns the length of the longest word. The function loops, because `split` would be slow for thousands of cells. */
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

/** Returns true for a space, a tab or a line end. A no-break space does not separate words. */
function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}
