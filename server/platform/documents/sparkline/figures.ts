import { format } from '../decimal.ts';

/** The total value of a wallet on one day of a series. Days without a known total have no figure. */
export interface Figure {
  /** The index of the day in the series, from 0. */
  readonly day: number;
  readonly cents: bigint;
}

/**
 * The figures that a chart and its text alternative show: the first, last, lowest and highest known day, and the change
 * between first and last.
 */
export interface Figures {
  readonly first: Figure;
  readonly last: Figure;
  readonly low: Figure;
  readonly high: Figure;
  /** The number of known days. */
  readonly count: number;
  readonly direction: 'up' | 'down' | 'level';
  /** The change from first to last in percent, as decimal text; undefined when the first total is zero. */
  readonly change: string | undefined;
}

/** Returns the first, last, lowest and highest known day; undefined when no day is known. */
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

/** Formats cents as decimal text. */
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

/** Divides and rounds half away from zero. The divisor is positive. */
function roundedQuotient(dividend: bigint, divisor: bigint): bigint {
  const half = dividend < 0n ? -divisor : divisor;
  return (dividend * 2n + half) / (divisor * 2n);
}
