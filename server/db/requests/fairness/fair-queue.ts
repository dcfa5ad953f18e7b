import { BusyError } from './busy-error.ts';
import { FairShares, type Share } from './fair-shares.ts';
import { PRESENT_MS, SlowCallers } from './slow-callers.ts';

export interface FairQueueOptions {
  /** The number of requests that may run at a time. */
  readonly places: number;
  /** The maximum number of waiting requests of all callers together. */
  readonly maxWaiting: number;
  readonly maxWaitMs: number;
  /** What the requests wait for, in messages to the client. */
  readonly resource: string;
}

/** A waiting request. */
interface Entry {
  readonly line: Line;
  /** The number of waiting requests that the request counts as. */
  readonly size: number;
  readonly until: number;
  readonly signal: AbortSignal | undefined;
  /** Listens for an abort of `signal`. */
  readonly onAbort: () => void;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/** The waiting requests of one caller in order of arrival. */
interface Line {
  readonly key: string;
  readonly share: Share;
  readonly entries: Set<Entry>;
}

/**
 * Admits requests as places become free. The next place goes to the role that holds the fewest places for its weight,
 * and within that role to the caller that holds the fewest places. Callers that hold equally many places take turns.
 */
export class FairQueue {
  readonly #inside: FairShares;
  readonly #outside: FairShares;
  readonly #slow: SlowCallers;
  readonly #maxWaitMs: number;
  readonly #resource: string;
  /** Lines by role and caller. The line that was served last is at the end. */
  readonly #lines = new Map<string, Line>();
  /** The waiting requests of all lines. The oldest one, whose wait ends first, comes first. */
  readonly #entries = new Set<Entry>();
  #timer: NodeJS.Timeout | undefined;

  constructor({ places, maxWaiting, maxWaitMs, resource }: FairQueueOptions) {
    this.#inside = new FairShares(places);
    this.#outside = new FairShares(maxWaiting);
    this.#slow = new SlowCallers(places);
    this.#maxWaitMs = maxWaitMs;
    this.#resource = resource;
  }

  /** The number of requests that wait for a place. */
  get waiting(): number {
    return this.#entries.size;
  }

  /**
   * Takes a place, or waits for one. `leave` returns the place.
   * @param size the number of waiting requests that this request counts as
   * @returns undefined when the place was taken at once
   * @throws BusyError after the maximum wait or when too many requests wait, and the reason of `signal` when it aborts
   */
  enter(share: Share, signal?: AbortSignal, size = 1): Promise<void> | undefined {
    signal?.throwIfAborted();
    this.#slow.visit(share);
    const isFirst = this.#lines.size === 0 || !this.#lines.has(keyOf(share));
    if (isFirst && this.#mayEnter(share)) {
      this.#inside.takeAnyway(share, 1);
      return undefined;
    }
    if (!this.#outside.take(share, size))
      throw new BusyError(`too many requests wait for ${this.#resource}`);
    return this.#wait(share, signal, size);
  }

  /**
   * Returns a place.
   * @param milliseconds since the place was taken
   */
  leave(share: Share, milliseconds: number): void {
    this.#slow.note(share, milliseconds);
    this.#inside.giveBack(share, 1);
    this.#serveAll();
  }

  #serveAll(): void {
    for (let line = this.#next(); line; line = this.#next()) this.#serve(line);
  }

  /**
   * Checks the waiting requests again later: their wait may have ended. A caller may also run more requests when no
   * other caller is present, and no event reports the departure of the other callers. One timer serves all requests,
   * because a timer for each of them costs more than the place in the queue.
   */
  #lookAgain(): void {
    const [oldest] = this.#entries;
    if (this.#timer !== undefined || !oldest) return;
    const milliseconds = Math.min(PRESENT_MS, Math.max(1, oldest.until - performance.now()));
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#refuseLate();
      this.#serveAll();
      this.#lookAgain();
    }, milliseconds).unref();
  }

  #refuseLate(): void {
    const now = performance.now();
    for (const entry of this.#entries) {
      if (entry.until > now) return;
      this.#forget(entry);
      entry.reject(this.#tooLong());
    }
  }

  #tooLong(): BusyError {
    return new BusyError(`the request waited ${this.#maxWaitMs / 1000} s for ${this.#resource}`);
  }

  #mayEnter(share: Share): boolean {
    return (
      this.#inside.mayTake(share, 1) && this.#slow.mayRun(share, this.#inside.held(share).byCaller)
    );
  }

  #wait(share: Share, signal: AbortSignal | undefined, size: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.#forget(entry);
        reject(signal?.reason);
      };
      const line = this.#lineOf(share);
      const until = performance.now() + this.#maxWaitMs;
      const entry: Entry = { line, size, until, signal, onAbort, resolve, reject };
      signal?.addEventListener('abort', onAbort);
      line.entries.add(entry);
      this.#entries.add(entry);
      this.#lookAgain();
    });
  }

  #lineOf(share: Share): Line {
    const key = keyOf(share);
    const known = this.#lines.get(key);
    if (known) return known;
    const line = { key, share, entries: new Set<Entry>() };
    this.#lines.set(key, line);
    return line;
  }

  /** Removes a request that no longer waits. */
  #forget(entry: Entry): void {
    const { line, size, signal, onAbort } = entry;
    signal?.removeEventListener('abort', onAbort);
    this.#entries.delete(entry);
    line.entries.delete(entry);
    if (line.entries.size === 0) this.#lines.delete(line.key);
    this.#outside.giveBack(line.share, size);
  }

  #next(): Line | undefined {
    let next: Line | undefined;
    let [nextLoad, nextOwn] = [0, 0];
    for (const line of this.#lines.values()) {
      const { share } = line;
      if (!this.#mayEnter(share)) continue;
      const { byRole, byCaller: own } = this.#inside.held(share);
      const load = byRole / share.weight;
      if (next && (load > nextLoad || (load === nextLoad && own >= nextOwn))) continue;
      next = line;
      nextLoad = load;
      nextOwn = own;
    }
    return next;
  }

  #serve(line: Line): void {
    const [entry] = line.entries;
    if (!entry) return;
    this.#inside.takeAnyway(line.share, 1);
    this.#forget(entry);
    // Callers with equally many places take turns, which a single caller does not need.
    if (this.#lines.size > 1 && this.#lines.delete(line.key)) this.#lines.set(line.key, line);
    entry.resolve();
  }
}

function keyOf(share: Share): string {
  return `${share.role}\0${share.person === undefined ? `c${share.caller}` : `p${share.person}`}`;
}
