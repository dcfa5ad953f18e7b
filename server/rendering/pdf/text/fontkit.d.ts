/** What is used of fontkit, which pdfkit brings along and which has no types of its own. */
declare module 'fontkit' {
  export interface Glyph {
    readonly id: number;
    readonly advanceWidth: number;
    readonly codePoints: readonly number[];
    /** Its outline. Not part of what fontkit documents; asked for each glyph of a subset. */
    _decode(): unknown;
  }

  /** In units of the font. */
  interface GlyphPosition {
    xAdvance: number;
    yAdvance: number;
    xOffset: number;
    yOffset: number;
  }

  export interface GlyphRun {
    readonly glyphs: readonly Glyph[];
    readonly positions: readonly GlyphPosition[];
  }

  export interface Subset {
    /** Ids of the glyphs of the new font, in its order. */
    readonly glyphs: number[];
    encode(): Uint8Array;
  }

  export interface Font {
    readonly postscriptName: string;
    readonly unitsPerEm: number;
    readonly ascent: number;
    readonly descent: number;
    readonly lineGap: number;
    readonly italicAngle: number;
    readonly bbox: { minX: number; minY: number; maxX: number; maxY: number };
    readonly post: { readonly isFixedPitch: number };
    readonly head: { readonly macStyle: { readonly italic: boolean } };
    readonly 'OS/2': { readonly sFamilyClass: number };
    getGlyph(id: number, codePoints?: readonly number[]): Glyph;
    hasGlyphForCodePoint(codePoint: number): boolean;
    layout(
      text: string,
      features?: readonly string[],
      script?: string,
      language?: string,
      direction?: 'ltr' | 'rtl',
    ): GlyphRun;
    createSubset(): Subset;
  }

  export function create(data: Uint8Array): Font;
}
