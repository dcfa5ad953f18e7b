/**
 * Maximum length of a word that is shaped as a whole, in UTF-16 code units. The time to shape a word grows faster than
 * its length, but usual words are shorter than this.
 */
const maxPieceLength = 100;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Splits a text into graphemes. A grapheme that is longer than a piece, because of many joiners, is split further. */
export function* graphemesOf(text: string): Generator<string> {
  for (const { segment } of graphemes.segment(text)) {
    if (segment.length <= maxPieceLength) yield segment;
    else yield* segment.match(/.{1,50}/gsu) ?? [];
  }
}

/** Splits a word into the pieces that are shaped separately. A word of usual length is one piece. */
export function piecesOf(word: string): readonly string[] {
  if (word.length <= maxPieceLength) return [word];
  const pieces: string[] = [];
  let piece = '';
  for (const grapheme of graphemesOf(word)) {
    if (piece.length + grapheme.length > maxPieceLength) {
      pieces.push(piece);
      piece = '';
    }
    piece += grapheme;
  }
  pieces.push(piece);
  return pieces;
}
