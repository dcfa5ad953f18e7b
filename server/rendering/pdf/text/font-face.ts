import { readFileSync } from 'node:fs';
import { create, type Font } from 'fontkit';
import { fontFile, type Weight } from './font-files.ts';
import { GlyphSubset, type GlyphUse, withCachedOutlines } from './glyph-subset.ts';
import { printable } from './printable-text.ts';
import { type ShapedGlyph, Shaper } from './shape-text.ts';

/**
 * Precedes each line of a right-to-left paragraph, so that `layout` knows the direction of the paragraph. Printed text
 * never contains this character.
 */
const rightToLeftMark = '\u200f';

/**
 * A font that is read once and shared by all documents of a process. It has the interface of fontkit's fonts: pdfkit calls
 * `layout` for each line and `createSubset` for each document.
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
  /** The heights of H and x in units of the font, which DejaVu's files do not contain. */
  readonly capHeight = 1493;
  readonly xHeight = 1120;
  readonly #font: Font;
  readonly #shaper: Shaper;
  readonly #uses: GlyphUse[] = [];
  readonly #useNumbers = new Map<string, number>();

  constructor(weight: Weight) {
    const font = create(readFileSync(fontFile(weight)));
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
    this.#font = withCachedOutlines(font);
    this.#shaper = new Shaper(font);
  }

  /** Returns a text in which unsupported characters are replaced. */
  printable(text: string): string {
    return printable(text, (codePoint) => this.#font.hasGlyphForCodePoint(codePoint));
  }

  /** Returns the line for pdfkit, with a mark when its paragraph runs from right to left. */
  directed(line: string, paragraph: 'ltr' | 'rtl'): string {
    return paragraph === 'rtl' ? `${rightToLeftMark}${line}` : line;
  }

  /** Returns the width of a line in points. @param size the size of the font in points */
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

  /** Lays out a line for pdfkit. Returns a new object each time, because pdfkit scales the positions in place. */
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

/** Returns the font of a weight. Its file is read at the first use. */
export function fontFace(weight: Weight): FontFace {
  let face = faces.get(weight);
  if (!face) {
    face = new FontFace(weight);
    faces.set(weight, face);
  }
  return face;
}
