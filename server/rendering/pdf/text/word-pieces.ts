/** In UTF-16 units. Ordinary words are shorter; time to shape a word grows faster than its length. */
const longestPiece = 100;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** What is read as one character each; where joiners make up one that is longer than a piece, parts of it. */
export function* graphemesOf(text: string): Generator<string> {
  for (const { segment } of graphemes.segment(text)) {
    if (segment.length <= longestPiece) yield segment;
    else yield* segment.match(/.{1,50}/gsu) ?? [];
  }
}

/** Parts of a word that are shaped one by one: one for a word of usual length. */
export function piecesOf(word: string): readonly string[] {
  if (word.length <= longestPiece) return [word];
  const pieces: string[] = [];
  let piece = '';
  for (const grapheme of graphemesOf(word)) {
    if (piece.length + grapheme.length > longestPiece) {
      pieces.push(piece);
      piece = '';
    }
    piece += grapheme;
  }
  pieces.push(piece);
  return pieces;
}
