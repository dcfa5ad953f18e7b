import { callerOf, type Share } from './fair-shares.ts';

/**
 * A request counts as quick or slow by how many milliseconds longer it takes than the quickest request. The quickest
 * time approximates the network latency to the database.
 */
const QUICK_MS = 10;
const SLOW_MS = 50;
/**
 * The quickest time grows by this factor with each request, so that the value adapts when every request becomes slower.
 */
const QUICKEST_GROWS = 1.001;
/** Milliseconds for which a caller counts as present after a request. */
export const PRESENT_MS = 1000;
/** The maximum number of known callers. Beyond this number, callers that were absent longest are forgotten. */
const MAX_CALLERS = 10_000;

/** The latest request of a caller. */
interface Visit {
  readonly key: string;
  at: number;
}

/**
 * Limits the concurrent requests of one caller while other callers are present, so that one caller cannot use all
 * processors of the database. The limit starts low, grows with each quick request, and is halved after a slow request.
 */
export class SlowCallers {
  readonly #min: number;
  readonly #max: number;
  /** The limit of each caller. The Map is ordered: the caller that was absent longest comes first. */
  readonly #windows = new Map<string, number>();
  /** The caller at the end of `#windows`. */
  #newest: string | undefined;
  #quickestMs = Number.POSITIVE_INFINITY;
  #last: Visit = { key: '', at: Number.NEGATIVE_INFINITY };
  /** The last visit of a caller other than the caller of `#last`. It shows whether another caller is present. */
  #before: Visit = this.#last;

  constructor(places: number) {
    this.#min = Math.max(1, Math.floor(places / 10));
    this.#max = places;
  }

  /** Records a request of a caller. */
  visit(share: Share): void {
    const key = callerOf(share);
    const at = performance.now();
    if (key === this.#last.key) this.#last.at = at;
    else {
      this.#before = this.#last;
      this.#last = { key, at };
    }
  }

  /** Returns true when a caller may run one more request in addition to its running requests. */
  mayRun(share: Share, running: number): boolean {
    if (running < this.#min * share.weight) return true;
    const key = callerOf(share);
    const other = key === this.#last.key ? this.#before : this.#last;
    if (performance.now() - other.at > PRESENT_MS) return true;
    return running < (this.#windows.get(key) ?? this.#min) * share.weight;
  }

  /** Records the duration of a request. */
  note(share: Share, milliseconds: number): void {
    const key = callerOf(share);
    const window = this.#windowAfter(milliseconds, this.#windows.get(key) ?? this.#min);
    if (key !== this.#newest) this.#windows.delete(key);
    this.#newest = key;
    this.#windows.set(key, window);
    if (this.#windows.size <= MAX_CALLERS) return;
    const [oldest] = this.#windows.keys();
    if (oldest !== undefined) this.#windows.delete(oldest);
  }

  #windowAfter(milliseconds: number, window: number): number {
    this.#quickestMs = Math.min(milliseconds, this.#quickestMs * QUICKEST_GROWS);
    const own = milliseconds - this.#quickestMs;
    // The limit is halved and not set to the minimum, because another caller may have caused the slowness.
    if (own > SLOW_MS) return Math.max(this.#min, Math.floor(window / 2));
    return own < QUICK_MS ? Math.min(window + 1, this.#max) : window;
  }
}
