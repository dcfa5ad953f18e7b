import type { Share } from './fair-shares.ts';

/** Requests that took less let their caller run one more at a time. */
const QUICK_MS = 50;
/** Requests that took longer bring their caller back to the least. */
const SLOW_MS = 200;
/** How long a caller counts as there after a request. */
const PRESENT_MS = 1000;
/** Callers that are known; beyond it, those that have been away longest are forgotten. */
const MAX_CALLERS = 10_000;

interface Known {
  /** Requests that may run at a time. */
  window: number;
}

interface Visit {
  readonly key: string;
  readonly at: number;
}

/**
 * How many requests of one caller may run at a time while others ask too: few until its requests have proved quick, and
 * few again after a slow one, so that the processors of the database are not all busy with one caller.
 */
export class SlowCallers {
  readonly #least: number;
  readonly #most: number;
  /** A Map keeps its order: the caller that has been away longest comes first. */
  readonly #callers = new Map<string, Known>();
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
    return running < (this.#callers.get(key)?.window ?? this.#least) * share.weight;
  }

  /** Notes how long a request took. */
  note(share: Share, milliseconds: number): void {
    const key = callerOf(share);
    const known = this.#callers.get(key) ?? { window: this.#least };
    if (milliseconds > SLOW_MS) known.window = this.#least;
    else if (milliseconds < QUICK_MS) known.window = Math.min(known.window + 1, this.#most);
    this.#callers.delete(key);
    this.#callers.set(key, known);
    if (this.#callers.size <= MAX_CALLERS) return;
    const [oldest] = this.#callers.keys();
    if (oldest !== undefined) this.#callers.delete(oldest);
  }
}

function callerOf({ role, caller, person }: Share): string {
  return person === undefined ? `${role}\0${caller}` : `\0${person}`;
}
