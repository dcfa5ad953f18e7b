/** The part of fontkit, a dependency of pdfkit without types, that this folder uses. */
declare module 'fontkit' {
  export interface Glyph {
    readonly id: number;
    readonly advanceWidth: number;
    readonly codePoints: readonly number[];
    /** Decodes the outline. Fontkit calls this undocumented function for each glyph of a subset. */
    _decode(): unknown;
  }

  /** Distances in units of the font. */
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
    /** The ids of the included glyphs, in the order of the new font. */
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
