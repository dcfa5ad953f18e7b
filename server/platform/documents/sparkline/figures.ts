import { format } from '../decimal.ts';

/** One day's total that is known. */
export interface Figure {
  /** Which day of the series, from 0. */
  readonly day: number;
  readonly cents: bigint;
}

/** What a series comes to. */
export interface Figures {
  readonly first: Figure;
  readonly last: Figure;
  readonly low: Figure;
  readonly high: Figure;
  /** How many days are known. */
  readonly count: number;
  readonly direction: 'up' | 'down' | 'level';
  /** From the first to the last, in per cent of the first, as a decimal text; undefined where the first is nothing. */
  readonly change: string | undefined;
}

/** The first, last, lowest and highest of the days that are known; undefined where none is. */
export function figuresOf(totals: readonly (bigint | undefined)[]): Figures | undefined {
  const known = totals.flatMap((cents, day) => (cents === undefined ? [] : [{ day, cents }]));
  const [first] = known;
  const last = known.at(-1);
  if (!first || !last) return undefined;
  return {
    first,
    last,
    low: known.reduce((low, one) => (one.cents < low.cents ? one : low)),
    high: known.reduce((high, one) => (one.cents > high.cents ? one : high)),
    count: known.length,
    direction: directionOf(last.cents - first.cents),
    change: changeOf(first.cents, last.cents),
  };
}

/** Cents as a decimal text. */
export function decimalOf(cents: bigint): string {
  return format({ units: cents, scale: 2 });
}

function directionOf(difference: bigint): Figures['direction'] {
  if (difference === 0n) return 'level';
  return difference > 0n ? 'up' : 'down';
}

function changeOf(first: bigint, last: bigint): string | undefined {
  if (first === 0n) return undefined;
  const size = first < 0n ? -first : first;
  return decimalOf(roundedQuotient((last - first) * 10_000n, size));
}

/** Rounded to the nearest, halves away from zero; the divisor is positive. */
function roundedQuotient(dividend: bigint, divisor: bigint): bigint {
  const half = dividend < 0n ? -divisor : divisor;
  return (dividend * 2n + half) / (divisor * 2n);
}
