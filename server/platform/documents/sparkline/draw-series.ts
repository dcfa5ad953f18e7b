import type { Figures } from './figures.ts';

/** The size of the picture in pixels. */
export const width = 120;
export const height = 32;

/** The margin at each edge, for the marker at the end of the line. */
const margin = 5;
const markSize = 3;
/** The number of distinct heights that a point of the line can have. */
const steps = 10_000n;

/** The drawn shapes of a series. */
export interface Drawing {
  /** The `d` of a path: one segment for consecutive days, and a gap for missing days. */
  readonly line: string;
  /** The `points` of the marker at the end of the line: a triangle up or down, or a square for no change. */
  readonly mark: string;
}

/** Draws a line scaled from the lowest to the highest total; a constant line is in the middle. */
export function draw(totals: readonly (bigint | undefined)[], figures: Figures): Drawing {
  const x = (day: number) => margin + (day * (width - 2 * margin)) / Math.max(1, totals.length - 1);
  const span = figures.high.cents - figures.low.cents;
  const y = (cents: bigint) => {
    // The share of the height is computed with bigint, because totals in cents may be too large for a number.
    const share = span === 0n ? 0.5 : Number(((cents - figures.low.cents) * steps) / span) / 1e4;
    return height - margin - share * (height - 2 * margin);
  };
  const line = totals.map((cents, day) => {
    if (cents === undefined) return '';
    const place = point(x(day), y(cents));
    if (totals[day - 1] !== undefined) return `L${place}`;
    // A single day is a segment without length, which round line caps draw as a dot.
    return totals[day + 1] === undefined ? `M${place}h0` : `M${place}`;
  });
  const { last, direction } = figures;
  return { line: line.join(''), mark: marks[direction](x(last.day), y(last.cents)) };
}

const marks: Readonly<Record<Figures['direction'], (x: number, y: number) => string>> = {
  up: (x, y) => triangle(x, y, -markSize),
  down: (x, y) => triangle(x, y, markSize),
  level: (x, y) => {
    const [left, right, top, bottom] = [x - markSize, x + markSize, y - markSize, y + markSize];
    return [point(left, top), point(right, top), point(right, bottom), point(left, bottom)].join(
      ' ',
    );
  },
};

function triangle(x: number, y: number, toTip: number): string {
  const base = y - toTip;
  return [point(x, y + toTip), point(x + markSize, base), point(x - markSize, base)].join(' ');
}

function point(x: number, y: number): string {
  return `${short(x)} ${short(y)}`;
}

function short(value: number): string {
  return String(Math.round(value * 100) / 100);
}
