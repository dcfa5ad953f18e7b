import type { Font, Glyph, GlyphRun } from 'fontkit';
import { RecentCache } from './recent-cache.ts';
import { hasRightToLeft, mirrored, visualOrder } from './visual-order.ts';
import { piecesOf } from './word-pieces.ts';

/** Where glyphs stand, from left to right; in units of the font. */
export interface ShapedGlyph {
  readonly glyph: number;
  /** What it stands for. */
  readonly text: string;
  readonly advance: number;
  /** Of the glyph alone, without kerning. */
  readonly ownAdvance: number;
  readonly xOffset: number;
  readonly yOffset: number;
}

/** In characters, as all that is kept. */
const keptWords = 80_000;
/** Asked for when a line is broken, and again when it is drawn. */
const keptLines = 20_000;
const word = / +|[^ ]+/g;
/** Hardly any amount comes twice, but no font moves figures together: they are shaped one by one. */
const amount = /^[-+0-9.,:/()%$\u00a3\u20ac\u2212]*$/;
/** Before a key: that the text runs from right to left. No printed text begins with it. */
const rightToLeftMark = '\u200f';

/** Turns text into glyphs: kerning, ligatures, the forms of Arabic letters, and the order in which they are seen. */
export class Shaper {
  readonly #font: Font;
  readonly #words = new RecentCache<readonly ShapedGlyph[]>(keptWords);
  readonly #lines = new RecentCache<readonly ShapedGlyph[]>(keptLines);

  constructor(font: Font) {
    this.#font = withOwnText(font);
  }

  /** Glyphs of one line of a paragraph that runs in this direction. */
  shape(line: string, paragraph: 'ltr' | 'rtl'): readonly ShapedGlyph[] {
    if (paragraph === 'ltr' && !hasRightToLeft(line)) {
      return this.#lines.get(line, () => this.#fromLeft(line));
    }
    return visualOrder(line, paragraph).flatMap(({ text, direction }) =>
      direction === 'ltr' ? this.#fromLeft(text) : this.#fromRight(text),
    );
  }

  /** Most words come again, in the next row or document. */
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
 * Fontkit keeps a glyph with the text that it stood for at first, in whichever document that was. Here each use of it
 * has the text of its own.
 */
function withOwnText(font: Font): Font {
  const getGlyph = (id: number, codePoints: readonly number[] = []): Glyph =>
    Object.create(font.getGlyph(id), { codePoints: { value: codePoints } });
  return Object.create(font, { getGlyph: { value: getGlyph } });
}
