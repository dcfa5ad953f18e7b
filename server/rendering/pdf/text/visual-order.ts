import bidiFactory, { type Bidi } from 'bidi-js';

// Its types speak of another module system than its code.
const bidi = (bidiFactory as unknown as () => Bidi)();

/** Letters that are written from right to left, and the mark that says so. */
const rightToLeft =
  /[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const firstLetter = /\p{L}/u;

/** Part of a line that runs in one direction; its text is in the order of reading. */
export interface DirectedText {
  readonly text: string;
  readonly direction: 'ltr' | 'rtl';
}

/** Whether any of the text is written from right to left. */
export function hasRightToLeft(text: string): boolean {
  return rightToLeft.test(text);
}

/** Direction of a paragraph: that of its first letter. */
export function directionOf(text: string): 'ltr' | 'rtl' {
  const letter = firstLetter.exec(text)?.[0];
  return letter !== undefined && rightToLeft.test(letter) ? 'rtl' : 'ltr';
}

/**
 * Parts of a line of a paragraph in the order in which they are seen from left to right
 * (https://www.unicode.org/reports/tr9/#L2).
 */
export function visualOrder(line: string, paragraph: 'ltr' | 'rtl'): readonly DirectedText[] {
  const { levels } = bidi.getEmbeddingLevels(line, paragraph);
  const parts = levelRuns(line, levels, paragraph === 'rtl' ? 1 : 0);
  const highest = parts.reduce((most, { level }) => Math.max(most, level), 0);
  for (let level = highest; level > 0; level -= 1) reverseRuns(parts, level);
  return parts.map(({ text, level }) => ({ text, direction: level % 2 === 1 ? 'rtl' : 'ltr' }));
}

/** The character whose picture stands for this one where text runs from right to left: `)` for `(`. */
export function mirrored(character: string): string {
  return bidi.getMirroredCharacter(character) ?? character;
}

interface LevelRun {
  text: string;
  readonly level: number;
}

/** Spaces at the end of a line go by the paragraph (https://www.unicode.org/reports/tr9/#L1). */
function levelRuns(line: string, levels: Uint8Array, base: number): LevelRun[] {
  const runs: LevelRun[] = [];
  const end = line.trimEnd().length;
  for (let index = 0; index < line.length; index += 1) {
    const level = index < end ? (levels[index] ?? base) : base;
    const last = runs.at(-1);
    if (last?.level === level) last.text += line[index];
    else runs.push({ text: line[index] ?? '', level });
  }
  return runs;
}

/** Turns round every row of neighbours of at least this level. */
function reverseRuns(runs: LevelRun[], level: number): void {
  for (let start = 0; start < runs.length; start += 1) {
    let end = start;
    while ((runs[end]?.level ?? -1) >= level) end += 1;
    reverse(runs, start, end);
    start = Math.max(start, end);
  }
}

function reverse(runs: LevelRun[], start: number, end: number): void {
  for (let left = start, right = end - 1; left < right; left += 1, right -= 1) {
    [runs[left], runs[right]] = [runs[right] as LevelRun, runs[left] as LevelRun];
  }
}
