import { describe, expect, it } from 'vitest';
import { styles } from '../../../../server/rendering/pdf/layout/style.ts';
import { breakLines } from '../../../../server/rendering/pdf/layout/text-lines.ts';
import { renderPdf } from '../../../../server/rendering/pdf/render-pdf.ts';
import { fontFace } from '../../../../server/rendering/pdf/text/font-face.ts';
import { graphemesOf, piecesOf } from '../../../../server/rendering/pdf/text/word-pieces.ts';
import { brand, documentOf } from './printed.ts';

const accent = '\u0301';
const joined = Array(1000).fill('\u{1f600}').join('\u200d');
const letters = (text: string) => text.replaceAll(' ', '');

describe('words in a PDF that are longer than a line', () => {
  it.each([
    ['Latin', 'A'.repeat(500_000)],
    ['Arabic', '\u0627\u0628'.repeat(100_000)],
    ['Hebrew within Latin', '\u05d0a'.repeat(50_000)],
    ['joined letters', joined.repeat(50)],
    ['letters with marks', `e${accent.repeat(500_000)}`],
    ['letters with alternating marks', `e${`${accent}\u0316`.repeat(250_000)}`],
    ['marks between invisible characters', `e${`${accent.repeat(20)}\u202e`.repeat(25_000)}`],
  ])('are printed also with very many letters: %s', async (_, text) => {
    const pdf = await renderPdf(documentOf([{ kind: 'paragraph', text }]), brand);
    expect(pdf.length).toBeGreaterThan(10_000);
  });

  it('are split into pieces of at most 100 characters for shaping, and no piece begins with a combining mark', () => {
    const word = `a${accent}${accent}`.repeat(200);
    const pieces = piecesOf(word);
    expect(pieces.join('')).toBe(word);
    expect(pieces.every((piece) => piece.length <= 100 && piece.startsWith('a'))).toBe(true);
  });

  it('are split also when joiners make the whole word one grapheme', () => {
    const pieces = piecesOf(joined);
    expect(pieces.join('')).toBe(joined);
    expect(pieces.every((piece) => piece.length <= 100 && piece.isWellFormed())).toBe(true);
    expect(Math.max(...[...graphemesOf(joined)].map(({ length }) => length))).toBeLessThan(101);
  });

  it('are shaped as one piece when they have at most 100 characters', () => {
    const word = 'a'.repeat(100);
    expect(piecesOf(word)).toEqual([word]);
  });

  it('in a right-to-left script keep their direction across the pieces', () => {
    const word = '\u05d0'.repeat(100) + '\u05d1'.repeat(5);
    const { glyphs } = fontFace('regular').layout(word) as {
      glyphs: readonly { codePoints: readonly number[] }[];
    };
    expect(String.fromCodePoint(...glyphs.flatMap(({ codePoints }) => codePoints))).toBe(
      '\u05d1'.repeat(5) + '\u05d0'.repeat(100),
    );
  });

  it('are printed completely, on lines that are not too wide', () => {
    const word = 'Donau'.repeat(2000);
    const lines = breakLines(`${word} ${word}`, styles.body, 300);
    expect(letters(lines.map(({ text }) => text).join(''))).toBe(word + word);
    expect(Math.max(...lines.map(({ width }) => width))).toBeLessThanOrEqual(300);
  });
});

describe('combining marks on one letter of a PDF', () => {
  it('are limited to thirty', () => {
    const printed = fontFace('regular').printable(`x${accent.repeat(31)}y${accent.repeat(30)}`);
    expect(printed).toBe(`x${accent.repeat(30)}\u00fd${accent.repeat(29)}`);
  });

  it('are combined with the letter into one character when Unicode has it', () => {
    expect(fontFace('regular').printable('e\u0301 a\u0301\u0323')).toBe('\u00e9 \u1ea1\u0301');
  });
});
