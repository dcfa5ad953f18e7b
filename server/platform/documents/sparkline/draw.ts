import type { Figures } from './figures.ts';

/** Of the picture, in pixels. */
export const width = 120;
export const height = 32;

/** So much at each edge holds no line: the mark at its end needs it. */
const margin = 5;
const markSize = 3;
/** How finely heights are told apart. */
const steps = 10_000n;

/** What is seen of a series. */
export interface Drawing {
  /** Of the `d` of a path: one stretch for days that follow each other, and a gap where some are missing. */
  readonly line: string;
  /** Of the `points` of a polygon at the end of the line: a triangle upwards or downwards, a square where it is level. */
  readonly mark: string;
}

/** Draws to the scale of the lowest and the highest total; a level line goes through the middle. */
export function draw(totals: readonly (bigint | undefined)[], figures: Figures): Drawing {
  const x = (day: number) => margin + (day * (width - 2 * margin)) / Math.max(1, totals.length - 1);
  const span = figures.high.cents - figures.low.cents;
  const y = (cents: bigint) => {
    // In whole numbers as long as they may be too large for others.
    const share = span === 0n ? 0.5 : Number(((cents - figures.low.cents) * steps) / span) / 1e4;
    return height - margin - share * (height - 2 * margin);
  };
  const line = totals.map((cents, day) => {
    if (cents === undefined) return '';
    const place = point(x(day), y(cents));
    if (totals[day - 1] !== undefined) return `L${place}`;
    // A day alone is a stretch of no length, which the round ends of the line make a dot.
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
