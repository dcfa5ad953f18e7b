const graphemes = new Intl.Segmenter();
/** Letters that take the room of two where all have one width. */
const wide =
  /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff01-\uff60]|\p{Emoji_Presentation}/u;

/** Room that a text takes, in letters of one width. */
export function widthOf(text: string): number {
  // Nearly all texts; telling letters from each other takes long.
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += wide.test(segment) ? 2 : 1;
  return width;
}

/** A text with spaces up to a width, behind it or before it. */
export function padded(text: string, width: number, align: 'start' | 'end'): string {
  const spaces = ' '.repeat(Math.max(0, width - widthOf(text)));
  return align === 'end' ? `${spaces}${text}` : `${text}${spaces}`;
}

/** Pairs in lines of their own, the second parts below each other. */
export function aligned(pairs: readonly (readonly [string, string])[]): string {
  const width = Math.max(0, ...pairs.map(([term]) => widthOf(term)));
  const next = `\n${' '.repeat(width + 2)}`;
  return pairs
    .map(([term, value]) => `${padded(term, width, 'start')}  ${value.replaceAll('\n', next)}`)
    .join('\n');
}
