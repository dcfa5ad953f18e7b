import { callerOf, type Share } from './fair-shares.ts';

/** Milliseconds beyond the quickest requests, which take as long as the database is far away. */
const QUICK_MS = 10;
const SLOW_MS = 50;
/** What a request adds to the quickest time, so that it follows where every request has become slower. */
const QUICKEST_GROWS = 1.001;
/** How long a caller counts as there after a request. */
export const PRESENT_MS = 1000;
/** Callers that are known; beyond it, those that have been away longest are forgotten. */
const MAX_CALLERS = 10_000;

interface Visit {
  readonly key: string;
  readonly at: number;
}

/**
 * How many requests of one caller may run at a time while others ask too: few until its requests have proved quick, and
 * half as many after a slow one, so that the processors of the database are not all busy with one caller.
 */
export class SlowCallers {
  readonly #least: number;
  readonly #most: number;
  /** Requests that each may run at a time. A Map keeps its order: the caller that has been away longest comes first. */
  readonly #windows = new Map<string, number>();
  #quickestMs = Number.POSITIVE_INFINITY;
  #last: Visit = { key: '', at: Number.NEGATIVE_INFINITY };
  /** The last visit of another caller than the last one. */
  #before: Visit = this.#last;

  constructor(places: number) {
    this.#least = Math.max(1, Math.floor(places / 10));
    this.#most = places;
  }

  /** Notes that a caller asks. */
  visit(share: Share): void {
    const key = callerOf(share);
    const at = performance.now();
    if (key !== this.#last.key) this.#before = this.#last;
    this.#last = { key, at };
  }

  /** Whether a caller may run another request beside so many. */
  mayRun(share: Share, running: number): boolean {
    if (running < this.#least * share.weight) return true;
    const key = callerOf(share);
    const other = key === this.#last.key ? this.#before : this.#last;
    if (performance.now() - other.at > PRESENT_MS) return true;
    return running < (this.#windows.get(key) ?? this.#least) * share.weight;
  }

  /** Notes how long a request took. */
  note(share: Share, milliseconds: number): void {
    const key = callerOf(share);
    const window = this.#windowAfter(milliseconds, this.#windows.get(key) ?? this.#least);
    this.#windows.delete(key);
    this.#windows.set(key, window);
    if (this.#windows.size <= MAX_CALLERS) return;
    const [oldest] = this.#windows.keys();
    if (oldest !== undefined) this.#windows.delete(oldest);
  }

  #windowAfter(milliseconds: number, window: number): number {
    this.#quickestMs = Math.min(milliseconds, this.#quickestMs * QUICKEST_GROWS);
    const own = milliseconds - this.#quickestMs;
    // Not to the least at once: a request may have been slow because of another caller.
    if (own > SLOW_MS) return Math.max(this.#least, Math.floor(window / 2));
    return own < QUICK_MS ? Math.min(window + 1, this.#most) : window;
  }
}
