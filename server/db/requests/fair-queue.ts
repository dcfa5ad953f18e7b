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

/** The waiting requests of one caller in order of arrival. */
interface Line {
  readonly share: Share;
  readonly entries: Set<() => void>;
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
  #timer: NodeJS.Timeout | undefined;

  constructor({ places, maxWaiting, maxWaitMs, resource }: FairQueueOptions) {
    this.#inside = new FairShares(places);
    this.#outside = new FairShares(maxWaiting);
    this.#slow = new SlowCallers(places);
    this.#maxWaitMs = maxWaitMs;
    this.#resource = resource;
  }

  /**
   * Waits for a place and takes the place. `leave` returns the place.
   * @param size the number of waiting requests that this request counts as
   * @throws BusyError after the maximum wait or when too many requests wait, and the reason of `signal` when it aborts
   */
  async enter(share: Share, signal?: AbortSignal, size = 1): Promise<void> {
    signal?.throwIfAborted();
    this.#slow.visit(share);
    const isFirst = this.#lines.size === 0 || !this.#lines.has(keyOf(share));
    if (isFirst && this.#mayEnter(share)) {
      this.#inside.takeAnyway(share, 1);
      return;
    }
    if (!this.#outside.take(share, size))
      throw new BusyError(`too many requests wait for ${this.#resource}`);
    try {
      await this.#wait(share, signal);
    } finally {
      this.#outside.giveBack(share, size);
    }
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
   * Checks the waiting requests again later. A caller may run more requests when no other caller is present, and no
   * event reports the departure of the other callers.
   */
  #lookAgain(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#serveAll();
      if (this.#lines.size > 0) this.#lookAgain();
    }, PRESENT_MS).unref();
  }

  #mayEnter(share: Share): boolean {
    return (
      this.#inside.mayTake(share, 1) && this.#slow.mayRun(share, this.#inside.held(share).byCaller)
    );
  }

  #wait(share: Share, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
        settle();
      };
      const begin = () => end(resolve);
      const refuse = (reason: unknown) => {
        this.#forget(share, begin);
        end(() => reject(reason));
      };
      const giveUp = () => refuse(signal?.reason);
      const timer = setTimeout(() => refuse(this.#tooLong()), this.#maxWaitMs);
      signal?.addEventListener('abort', giveUp, { once: true });
      this.#lineOf(share).entries.add(begin);
      this.#lookAgain();
    });
  }

  #tooLong(): BusyError {
    return new BusyError(`the request waited ${this.#maxWaitMs / 1000} s for ${this.#resource}`);
  }

  #lineOf(share: Share): Line {
    const key = keyOf(share);
    const line = this.#lines.get(key) ?? { share, entries: new Set() };
    this.#lines.set(key, line);
    return line;
  }

  #forget(share: Share, entry: () => void): void {
    const line = this.#lines.get(keyOf(share));
    line?.entries.delete(entry);
    if (line?.entries.size === 0) this.#lines.delete(keyOf(share));
  }

  #next(): Line | undefined {
    let next: { readonly line: Line; readonly load: number; readonly own: number } | undefined;
    for (const line of this.#lines.values()) {
      const { share } = line;
      if (!this.#mayEnter(share)) continue;
      const { byRole, byCaller: own } = this.#inside.held(share);
      const load = byRole / share.weight;
      if (!next || load < next.load || (load === next.load && own < next.own)) {
        next = { line, load, own };
      }
    }
    return next?.line;
  }

  #serve(line: Line): void {
    const { share, entries } = line;
    const [begin] = entries;
    if (!begin) return;
    this.#inside.takeAnyway(share, 1);
    this.#forget(share, begin);
    if (this.#lines.delete(keyOf(share))) this.#lines.set(keyOf(share), line);
    begin();
  }
}

function keyOf({ role, caller }: Share): string {
  return `${role}\0${caller}`;
}
