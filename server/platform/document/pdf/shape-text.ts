import type { Font, Glyph, GlyphRun } from 'fontkit';
import { Lru } from '../../../lru.ts';
import { type DirectedText, hasRightToLeft, mirrored, visualOrder } from './visual-order.ts';

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

/** Shaped words that are kept, counted in glyphs. */
const keptGlyphs = 100_000;
const word = / +|[^ ]+/g;

/** Turns text into glyphs: kerning, ligatures, the forms of Arabic letters, and the order in which they are seen. */
export class Shaper {
  readonly #font: Font;
  readonly #kept = new Lru<readonly ShapedGlyph[]>(keptGlyphs);

  constructor(font: Font) {
    this.#font = withOwnText(font);
  }

  /** Glyphs of one line of a paragraph that runs in this direction. */
  shape(line: string, paragraph: 'ltr' | 'rtl'): readonly ShapedGlyph[] {
    if (paragraph === 'ltr' && !hasRightToLeft(line)) return this.#words(line);
    return visualOrder(line, paragraph).flatMap((part) => this.#shaped(part));
  }

  /** Most words come again, in the next row or document. */
  #words(text: string): readonly ShapedGlyph[] {
    const words = text.match(word) ?? [];
    return words.flatMap((one) => this.#shaped({ text: one, direction: 'ltr' }));
  }

  #shaped({ text, direction }: DirectedText): readonly ShapedGlyph[] {
    const key = direction === 'rtl' ? `\u200f${text}` : text;
    const known = this.#kept.get(key);
    if (known) return known;
    const rtl = direction === 'rtl';
    const drawn = rtl ? [...text].map(mirrored).join('') : text;
    const run = this.#font.layout(drawn, [], undefined, undefined, direction);
    const glyphs = shapedGlyphs(run, rtl);
    this.#kept.set(key, glyphs, glyphs.length + 1);
    return glyphs;
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
