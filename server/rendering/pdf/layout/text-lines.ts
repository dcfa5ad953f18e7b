import { fontFace } from '../text/font-face.ts';
import { directionOf } from '../text/visual-order.ts';
import { graphemesOf } from '../text/word-pieces.ts';
import type { TextStyle } from './style.ts';

/** A line as it is printed. */
export interface Line {
  /** With the space at which it was broken, so that words stay apart for whoever copies or hears them. */
  readonly text: string;
  /** In points, without that space. */
  readonly width: number;
  /** Of the space. */
  readonly trailing: number;
  readonly direction: 'ltr' | 'rtl';
  readonly style: TextStyle;
}

/** Where a line may end: behind spaces, and behind a hyphen or slash that joins words. */
const piece = /(?<= )(?! )|(?<=[\p{L})][-\u2010\u2013/])(?=\p{L})/u;
/** In UTF-16 units. What is longer fills more than a line: it is not measured as a whole. */
const longestMeasured = 1000;

/** Breaks a text into lines of at most this width; its own line breaks stay. An empty text has no lines. */
export function breakLines(text: string, style: TextStyle, width: number): readonly Line[] {
  const clean = fontFace(style.weight).printable(text).trim();
  if (clean === '') return [];
  return continued(
    clean.split('\n').map((paragraph) => breakParagraph(paragraph.trim(), style, width)),
  );
}

/** Lines of texts below each other, as one: each text but the last ends with a space, which keeps their words apart. */
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

/** Height of lines below each other. */
export function heightOf(lines: readonly Line[]): number {
  return lines.reduce((sum, { style }) => sum + style.leading, 0);
}

/** The width of the widest. */
export function widthOf(lines: readonly Line[]): number {
  return lines.reduce((most, line) => Math.max(most, line.width), 0);
}

function breakParagraph(paragraph: string, style: TextStyle, width: number): readonly Line[] {
  const direction = directionOf(paragraph);
  const measure = (text: string) => fontFace(style.weight).widthOf(text, style.size);
  const whole = paragraph.length <= longestMeasured ? measure(paragraph) : Number.POSITIVE_INFINITY;
  if (whole <= width) return [{ text: paragraph, width: whole, trailing: 0, direction, style }];
  const texts = fill(paragraph.split(piece), measure, width);
  return texts.map((text) => {
    const trimmed = text.trimEnd();
    const trailing = trimmed === text ? 0 : measure(' ');
    return { text, width: measure(trimmed), trailing, direction, style };
  });
}

type Measure = (text: string) => number;

/** As many pieces on each line as there is room for. */
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
    if (text.length <= longestMeasured && measure(text.trimEnd()) <= width) add(text);
    else for (const part of shortened(text, measure, width)) add(part);
  }
  lines.push(line);
  return lines;
}

/** Parts of a word that is longer than a line. */
function shortened(text: string, measure: Measure, width: number): string[] {
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
