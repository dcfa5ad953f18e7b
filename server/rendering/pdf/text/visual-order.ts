import bidiFactory, { type Bidi } from 'bidi-js';

// The cast corrects the types of bidi-js: they declare a default export, but the package exports the function directly.
const bidi = (bidiFactory as unknown as () => Bidi)();

/** Right-to-left letters, and the right-to-left mark. */
const rightToLeft =
  /[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const firstLetter = /\p{L}/u;

/** A part of a line with one direction. Its text is in reading order. */
export interface DirectedText {
  readonly text: string;
  readonly direction: 'ltr' | 'rtl';
}

/** Returns true when any part of the text is written from right to left. */
export function hasRightToLeft(text: string): boolean {
  return rightToLeft.test(text);
}

/** Returns the direction of a paragraph, which is the direction of its first letter. */
export function directionOf(text: string): 'ltr' | 'rtl' {
  const letter = firstLetter.exec(text)?.[0];
  return letter !== undefined && rightToLeft.test(letter) ? 'rtl' : 'ltr';
}

/** Splits a line into parts in visual order, from left to right (https://www.unicode.org/reports/tr9/#L2). */
export function visualOrder(line: string, paragraph: 'ltr' | 'rtl'): readonly DirectedText[] {
  const { levels } = bidi.getEmbeddingLevels(line, paragraph);
  const parts = levelRuns(line, levels, paragraph === 'rtl' ? 1 : 0);
  const highest = parts.reduce((max, { level }) => Math.max(max, level), 0);
  for (let level = highest; level > 0; level -= 1) reverseRuns(parts, level);
  return parts.map(({ text, level }) => ({ text, direction: level % 2 === 1 ? 'rtl' : 'ltr' }));
}

/** Returns the character that replaces the given one in right-to-left text: `)` for `(`. */
export function mirrored(character: string): string {
  return bidi.getMirroredCharacter(character) ?? character;
}

interface LevelRun {
  text: string;
  readonly level: number;
}

/**
 * Splits a line by embedding level. Trailing spaces get the paragraph's level
 * (https://www.unicode.org/reports/tr9/#L1).
 */
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

/** Reverses each sequence of adjacent runs with at least this level. */
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
