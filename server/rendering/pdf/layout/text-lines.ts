import { fontFace } from '../text/font-face.ts';
import { directionOf } from '../text/visual-order.ts';
import { graphemesOf } from '../text/word-pieces.ts';
import type { TextStyle } from './style.ts';

/** A line of text. */
export interface Line {
  /**
   * The text with the space at which the line was broken. Without that space, the last word of a line and the first
   * word of the next would be joined when the text is copied or read aloud.
   */
  readonly text: string;
  /** The width in points, without the space at which the line was broken. */
  readonly width: number;
  /** The width of the space at which the line was broken. */
  readonly trailing: number;
  readonly direction: 'ltr' | 'rtl';
  readonly style: TextStyle;
}

/** Positions at which a line may be broken: after spaces, and after a hyphen or slash between words. */
const piece = /(?<= )(?! )|(?<=[\p{L})][-\u2010\u2013/])(?=\p{L})/u;
/**
 * Length, in UTF-16 code units, above which a text never fits in one line. A longer text is not measured as a whole,
 * which saves time.
 */
const maxMeasured = 1000;

/** Breaks a text into lines of at most this width and keeps its own line breaks. An empty text has no lines. */
export function breakLines(text: string, style: TextStyle, width: number): readonly Line[] {
  const clean = fontFace(style.weight).printable(text).trim();
  if (clean === '') return [];
  return continued(
    clean.split('\n').map((paragraph) => breakParagraph(paragraph.trim(), style, width)),
  );
}

/**
 * Joins the lines of several texts. A space at the end of each text except the last separates the words when the text
 * is copied.
 */
export function continued(texts: readonly (readonly Line[])[]): readonly Line[] {
  const filled = texts.filter(({ length }) => length > 0);
  return filled.flatMap((lines, index) => {
    const last = lines.at(-1);
    if (!last || index === filled.length - 1) return lines;
    return [...lines.slice(0, -1), withSpace(last)];
  });
}

function withSpace(line: Line): Line {
  const { weight, size } = line.style;
  return { ...line, text: `${line.text} `, trailing: fontFace(weight).widthOf(' ', size) };
}

/** Returns the height of lines below each other. */
export function heightOf(lines: readonly Line[]): number {
  return lines.reduce((sum, { style }) => sum + style.leading, 0);
}

/** Returns the width of the widest line. */
export function widthOf(lines: readonly Line[]): number {
  return lines.reduce((max, line) => Math.max(max, line.width), 0);
}

function breakParagraph(paragraph: string, style: TextStyle, width: number): readonly Line[] {
  const direction = directionOf(paragraph);
  const measure = (text: string) => fontFace(style.weight).widthOf(text, style.size);
  const whole = paragraph.length <= maxMeasured ? measure(paragraph) : Number.POSITIVE_INFINITY;
  if (whole <= width) return [{ text: paragraph, width: whole, trailing: 0, direction, style }];
  const texts = fill(paragraph.split(piece), measure, width);
  return texts.map((text) => {
    const trimmed = text.trimEnd();
    const trailing = trimmed === text ? 0 : measure(' ');
    return { text, width: measure(trimmed), trailing, direction, style };
  });
}

type Measure = (text: string) => number;

/** Fills each line with as many pieces as fit. */
function fill(pieces: readonly string[], measure: Measure, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  let used = 0;
  const add = (text: string) => {
    if (line !== '' && used + measure(text.trimEnd()) > width) {
      lines.push(line);
      line = '';
      used = 0;
    }
    line += text;
    used += measure(text);
  };
  for (const text of pieces) {
    if (text.length <= maxMeasured && measure(text.trimEnd()) <= width) add(text);
    else for (const part of splitWord(text, measure, width)) add(part);
  }
  lines.push(line);
  return lines;
}

/** Splits a word that is longer than a line. */
function splitWord(text: string, measure: Measure, width: number): string[] {
  const parts: string[] = [];
  let part = '';
  let used = 0;
  for (const segment of graphemesOf(text)) {
    const more = measure(segment);
    if (part !== '' && used + more > width && segment !== ' ') {
      parts.push(part);
      part = '';
      used = 0;
    }
    part += segment;
    used += more;
  }
  return [...parts, part];
}
