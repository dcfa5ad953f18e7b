/** Whose documents they are and how they look. */
export interface Brand {
  readonly name: string;
  /** `#rrggbb`; texts stand on it, in the colour that `textOn` gives, and never in it. */
  readonly colour: string;
  readonly logo?: Logo;
  /** One line each. */
  readonly address: readonly string[];
  /** Below every document, e.g. a registration number or bank details. */
  readonly footer?: string;
}

/** A picture that browsers and PDF readers can show. */
export interface Logo {
  readonly contentType: 'image/png' | 'image/jpeg';
  readonly data: Uint8Array;
}

const white = '#ffffff';
const black = '#000000';

/** Black or white, whichever can be read better on a colour; the contrast is always at least 4.5. */
export function textOn(colour: string): '#000000' | '#ffffff' {
  return contrast(colour, white) >= contrast(colour, black) ? white : black;
}

/** WCAG 2's contrast of two colours, 1 to 21. */
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
