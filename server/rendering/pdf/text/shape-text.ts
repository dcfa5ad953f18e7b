import type { Font, Glyph, GlyphRun } from 'fontkit';
import { RecentCache } from './recent-cache.ts';
import { hasRightToLeft, mirrored, visualOrder } from './visual-order.ts';
import { piecesOf } from './word-pieces.ts';

/** A glyph with its position in a line from left to right, in units of the font. */
export interface ShapedGlyph {
  readonly glyph: number;
  /** The text that the glyph represents. */
  readonly text: string;
  readonly advance: number;
  /** The advance of the glyph without kerning. */
  readonly ownAdvance: number;
  readonly xOffset: number;
  readonly yOffset: number;
}

/** The size of the word cache, in characters of one half. */
const wordCacheSize = 80_000;
/** The size of the line cache. A line is shaped when it is broken and again when it is drawn. */
const lineCacheSize = 20_000;
const word = / +|[^ ]+/g;
/**
 * Matches amounts. They are not cached, because they rarely repeat. Their characters are shaped one by one, which is
 * correct because fonts do not kern digits.
 */
const amount = /^[-+0-9.,:/()%$\u00a3\u20ac\u2212]*$/;
/**
 * Precedes the cache key of a right-to-left text, so that it differs from the key of the same text in left-to-right
 * order. Printed text never contains this character.
 */
const rightToLeftMark = '\u200f';

/** Converts text into positioned glyphs, with kerning, ligatures, the forms of Arabic letters, and visual order. */
export class Shaper {
  readonly #font: Font;
  readonly #words = new RecentCache<readonly ShapedGlyph[]>(wordCacheSize);
  readonly #lines = new RecentCache<readonly ShapedGlyph[]>(lineCacheSize);

  constructor(font: Font) {
    this.#font = withOwnText(font);
  }

  /** Shapes a line. @param paragraph the direction of its paragraph */
  shape(line: string, paragraph: 'ltr' | 'rtl'): readonly ShapedGlyph[] {
    if (paragraph === 'ltr' && !hasRightToLeft(line)) {
      return this.#lines.get(line, () => this.#fromLeft(line));
    }
    return visualOrder(line, paragraph).flatMap(({ text, direction }) =>
      direction === 'ltr' ? this.#fromLeft(text) : this.#fromRight(text),
    );
  }

  /** Shapes text word by word, because most words repeat in the next row or document. */
  #fromLeft(text: string): readonly ShapedGlyph[] {
    const words = text.match(word) ?? [];
    return words.flatMap((one) =>
      amount.test(one)
        ? [...one].flatMap((figure) => this.#shaped(figure))
        : piecesOf(one).flatMap((piece) => this.#shaped(piece)),
    );
  }

  #fromRight(text: string): readonly ShapedGlyph[] {
    const pieces = (text.match(word) ?? []).flatMap(piecesOf);
    return pieces.reverse().flatMap((piece) => this.#shaped(`${rightToLeftMark}${piece}`));
  }

  #shaped(key: string): readonly ShapedGlyph[] {
    return this.#words.get(key, () => {
      const isRightToLeft = key.startsWith(rightToLeftMark);
      const drawn = isRightToLeft ? [...key.slice(1)].map(mirrored).join('') : key;
      const direction = isRightToLeft ? 'rtl' : 'ltr';
      const run = this.#font.layout(drawn, [], undefined, undefined, direction);
      return shapedGlyphs(run, isRightToLeft);
    });
  }
}

function shapedGlyphs(run: GlyphRun, isMirrored: boolean): readonly ShapedGlyph[] {
  return run.glyphs.map((glyph, index) => {
    const text = String.fromCodePoint(...glyph.codePoints);
    return {
      glyph: glyph.id,
      text: isMirrored ? [...text].map(mirrored).join('') : text,
      advance: run.positions[index]?.xAdvance ?? 0,
      ownAdvance: glyph.advanceWidth,
      xOffset: run.positions[index]?.xOffset ?? 0,
      yOffset: run.positions[index]?.yOffset ?? 0,
    };
  });
}

/**
 * Returns a font whose glyphs have the text for which they are used. Unmodified, fontkit caches a glyph with the text
 * of its first use, which may come from another document.
 */
function withOwnText(font: Font): Font {
  const getGlyph = (id: number, codePoints: readonly number[] = []): Glyph =>
    Object.create(font.getGlyph(id), { codePoints: { value: codePoints } });
  return Object.create(font, { getGlyph: { value: getGlyph } });
}
