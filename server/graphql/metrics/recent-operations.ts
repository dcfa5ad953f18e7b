/** Milliseconds of one interval. */
export const intervalMs = 5000;
/** Number of kept intervals: a quarter of an hour. */
const maxIntervals = 180;
/** The upper end of the first bucket, in seconds. Each further bucket ends a quarter of an octave later. */
const firstBucket = 0.0001;
const perOctave = 4;
/** Enough buckets for two minutes. */
const bucketCount = 82;

/** The operations that ended within one interval. */
export interface RecentOperations {
  /** The beginning of the interval, in milliseconds since 1970. */
  readonly at: number;
  readonly count: number;
  readonly errors: number;
  /** Seconds within which half of the operations ended, up to a tenth too much or too little; absent without any. */
  readonly p50?: number;
  readonly p99?: number;
}

interface Interval {
  readonly number: number;
  readonly buckets: Uint32Array;
  count: number;
  errors: number;
}

/** Counts operations and their durations in intervals of the last quarter of an hour. */
export class RecentHistory {
  readonly #intervals: Interval[] = [];

  add(seconds: number, isError: boolean): void {
    const interval = this.#current();
    interval.count += 1;
    if (isError) interval.errors += 1;
    const bucket = bucketOf(seconds);
    interval.buckets[bucket] = (interval.buckets[bucket] ?? 0) + 1;
  }

  /** Returns all intervals up to now, the oldest first. Intervals without operations have the count 0. */
  intervals(): readonly RecentOperations[] {
    const last = numberOfNow();
    const known = new Map(this.#intervals.map((one) => [one.number, one]));
    return Array.from({ length: maxIntervals }, (_, index) => {
      const number = last - maxIntervals + 1 + index;
      const { count = 0, errors = 0, buckets } = known.get(number) ?? {};
      const at = number * intervalMs;
      if (!buckets) return { at, count, errors };
      return { at, count, errors, p50: quantile(buckets, 0.5), p99: quantile(buckets, 0.99) };
    });
  }

  #current(): Interval {
    const number = numberOfNow();
    const last = this.#intervals.at(-1);
    if (last?.number === number) return last;
    const next = { number, buckets: new Uint32Array(bucketCount), count: 0, errors: 0 };
    this.#intervals.push(next);
    if (this.#intervals.length > maxIntervals) this.#intervals.shift();
    return next;
  }
}

function numberOfNow(): number {
  return Math.floor(Date.now() / intervalMs);
}

function bucketOf(seconds: number): number {
  const bucket = Math.ceil(perOctave * Math.log2(seconds / firstBucket));
  return Math.max(0, Math.min(bucketCount - 1, bucket));
}

/** Returns the middle of the bucket that contains the quantile. */
function quantile(buckets: Uint32Array, share: number): number {
  const total = buckets.reduce((sum, count) => sum + count, 0);
  let passed = 0;
  const bucket = buckets.findIndex((count) => {
    passed += count;
    return passed >= share * total;
  });
  return firstBucket * 2 ** ((bucket - 0.5) / perOctave);
}
