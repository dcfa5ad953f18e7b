const graphemes = new Intl.Segmenter();
/** Characters that take two columns in a monospaced font. */
const wide =
  /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff01-\uff60]|\p{Emoji_Presentation}/u;

/** Returns the number of columns of a text in a monospaced font. */
export function widthOf(text: string): number {
  // A fast path for ASCII, because splitting a text into graphemes is slow.
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += wide.test(segment) ? 2 : 1;
  return width;
}

/** Pads a text with spaces to a width, at the end or at the start of the text. */
export function padded(text: string, width: number, align: 'start' | 'end'): string {
  const spaces = ' '.repeat(Math.max(0, width - widthOf(text)));
  return align === 'end' ? `${spaces}${text}` : `${text}${spaces}`;
}

/** Formats pairs as lines and aligns the second parts in a column. */
export function aligned(pairs: readonly (readonly [string, string])[]): string {
  const width = Math.max(0, ...pairs.map(([term]) => widthOf(term)));
  const next = `\n${' '.repeat(width + 2)}`;
  return pairs
    .map(([term, value]) => `${padded(term, width, 'start')}  ${value.replaceAll('\n', next)}`)
    .join('\n');
}
