import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { create, type Font } from 'fontkit';
import { GlyphSubset, type GlyphUse, withKeptOutlines } from './glyph-subset.ts';
import { printable } from './printable-text.ts';
import { type ShapedGlyph, Shaper } from './shape-text.ts';

export type Weight = 'regular' | 'bold';

const files: Readonly<Record<Weight, string>> = {
  regular: 'dejavu-fonts-ttf/ttf/DejaVuSans.ttf',
  bold: 'dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf',
};
/** Stands before the text of a line of a paragraph that runs from right to left; printed text never has it. */
const rightToLeftMark = '\u200f';

/**
 * A font that is read once and shared by all documents of a process. Pdfkit takes it for one of fontkit's: it asks for
 * the layout of each line, and for a subset in each document.
 */
export class FontFace {
  readonly postscriptName: string;
  readonly unitsPerEm: number;
  readonly ascent: number;
  readonly descent: number;
  readonly lineGap: number;
  readonly italicAngle: number;
  readonly bbox: Font['bbox'];
  readonly post: Font['post'];
  readonly head: Font['head'];
  readonly 'OS/2': Font['OS/2'];
  /** DejaVu does not tell them: of H and x, in units of the font. */
  readonly capHeight = 1493;
  readonly xHeight = 1120;
  readonly #font: Font;
  readonly #shaper: Shaper;
  readonly #uses: GlyphUse[] = [];
  readonly #useNumbers = new Map<string, number>();

  constructor(weight: Weight) {
    const file = createRequire(import.meta.url).resolve(files[weight]);
    const font = create(readFileSync(file));
    this.postscriptName = font.postscriptName;
    this.unitsPerEm = font.unitsPerEm;
    this.ascent = font.ascent;
    this.descent = font.descent;
    this.lineGap = font.lineGap;
    this.italicAngle = font.italicAngle;
    this.bbox = font.bbox;
    this.post = font.post;
    this.head = font.head;
    this['OS/2'] = font['OS/2'];
    this.#font = withKeptOutlines(font);
    this.#shaper = new Shaper(font);
  }

  /** What of a text this font can show. */
  printable(text: string): string {
    return printable(text, (codePoint) => this.#font.hasGlyphForCodePoint(codePoint));
  }

  /** How a line must be given to pdfkit for this direction of its paragraph. */
  directed(line: string, paragraph: 'ltr' | 'rtl'): string {
    return paragraph === 'rtl' ? `${rightToLeftMark}${line}` : line;
  }

  /** In points, at a size in points. */
  widthOf(line: string, size: number): number {
    let width = 0;
    for (const { advance } of this.#shaper.shape(line, 'ltr')) width += advance;
    return (width * size) / this.unitsPerEm;
  }

  getGlyph(id: number): { readonly advanceWidth: number } {
    return this.#font.getGlyph(id);
  }

  createSubset(): GlyphSubset {
    return new GlyphSubset(this.#font.createSubset(), this.#uses);
  }

  /** A new object each time, for pdfkit scales the positions in place. */
  layout(line: string): unknown {
    const isRightToLeft = line.startsWith(rightToLeftMark);
    const text = isRightToLeft ? line.slice(1) : line;
    const shaped = this.#shaper.shape(text, isRightToLeft ? 'rtl' : 'ltr');
    const positions = shaped.map(({ advance, xOffset, yOffset }) => {
      return { xAdvance: advance, yAdvance: 0, xOffset, yOffset };
    });
    return {
      glyphs: shaped.map((glyph) => this.#use(glyph)),
      positions,
      get advanceWidth() {
        return positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0);
      },
    };
  }

  #use({ glyph, text, ownAdvance }: ShapedGlyph) {
    const key = `${glyph} ${text}`;
    let id = this.#useNumbers.get(key);
    if (id === undefined) {
      id = this.#uses.push({ glyph, text }) - 1;
      this.#useNumbers.set(key, id);
    }
    return { id, advanceWidth: ownAdvance, codePoints: codePointsOf(text) };
  }
}

function codePointsOf(text: string): number[] {
  return [...text].map((character) => character.codePointAt(0) ?? 0);
}

const faces = new Map<Weight, FontFace>();

/** The font of this weight; read at its first use. */
export function fontFace(weight: Weight): FontFace {
  let face = faces.get(weight);
  if (!face) {
    face = new FontFace(weight);
    faces.set(weight, face);
  }
  return face;
}
