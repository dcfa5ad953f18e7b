/** The sender of documents and its visual identity. */
export interface Brand {
  readonly name: string;
  /** `#rrggbb`. A background colour; text on it has the colour from `textOn`. */
  readonly colour: string;
  readonly logo?: Logo;
  /** The lines of the address. */
  readonly address: readonly string[];
  /** Printed below every document, e.g. a registration number or bank details. */
  readonly footer?: string;
}

/** A picture for HTML, mail and PDF. */
export interface Logo {
  readonly contentType: 'image/png' | 'image/jpeg';
  readonly data: Uint8Array;
}

const white = '#ffffff';
const black = '#000000';

/** Returns black or white, whichever has more contrast to a background colour. The contrast is always at least 4.5. */
export function textOn(colour: string): '#000000' | '#ffffff' {
  return contrast(colour, white) >= contrast(colour, black) ? white : black;
}

/** Returns the contrast of two colours as WCAG 2 defines it, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [
    number,
    number,
  ];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [red, green, blue] = channels(colour).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channels(colour: string): readonly number[] {
  return [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16));
}
