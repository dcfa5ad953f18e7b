import type { Weight } from '../text/font-files.ts';

/** The style of a text. Lengths are points (1/72 inch). */
export interface TextStyle {
  readonly weight: Weight;
  readonly size: number;
  /** The height of a line. */
  readonly leading: number;
  readonly colour: string;
}

const ink = '#1c2430';
const quiet = '#56606e';

export const styles = {
  brand: { weight: 'bold', size: 14, leading: 19, colour: ink },
  small: { weight: 'regular', size: 7.5, leading: 10.5, colour: quiet },
  heading1: { weight: 'bold', size: 19, leading: 25, colour: ink },
  heading2: { weight: 'bold', size: 11.5, leading: 16, colour: ink },
  heading3: { weight: 'bold', size: 9.5, leading: 14, colour: ink },
  body: { weight: 'regular', size: 9, leading: 13.5, colour: ink },
  strong: { weight: 'bold', size: 9, leading: 13.5, colour: ink },
  label: { weight: 'regular', size: 7.5, leading: 11.5, colour: quiet },
  cell: { weight: 'regular', size: 8.5, leading: 12, colour: ink },
  columnTitle: { weight: 'bold', size: 7.5, leading: 11, colour: ink },
  total: { weight: 'regular', size: 9, leading: 13, colour: ink },
  grandTotal: { weight: 'bold', size: 10.5, leading: 15, colour: ink },
} satisfies Record<string, TextStyle>;

export const colours = { rule: '#d5dae1', shade: '#f3f5f8', line: '#8a94a2' };

/** Colours of a status. The contrast of text and background is at least 4.5:1. */
export const tones = {
  neutral: { background: '#e8ebf0', text: '#3a4350' },
  good: { background: '#dcf3e3', text: '#17633a' },
  warning: { background: '#fdeecb', text: '#754a00' },
  bad: { background: '#fbe0de', text: '#9b1c1c' },
} as const;

const side = 50;

/** An A4 page. Repeated headers and footers are above `top` and below `bottom`. */
export const page = {
  width: 595.28,
  height: 841.89,
  left: side,
  right: 595.28 - side,
  contentWidth: 595.28 - 2 * side,
  top: 50,
  /** The upper edge of the content on all pages but the first, below the repeated header. */
  nextTop: 74,
  bottom: 841.89 - 74,
} as const;
