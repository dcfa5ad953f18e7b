import { BusyError } from '../../db/requests/busy-error.ts';
import { callerOf, FairShares, type Share } from '../../db/requests/fair-shares.ts';

/** Requests run in one turn of the event loop until they have used so much of it; sockets and timers come next. */
const TURN_MS = 1;
/** Requests that may wait, of all callers together. */
const MAX_WAITING = 1000;
/** Callers whose use is known; beyond it, callers that owe nothing are forgotten. */
const MAX_CALLERS = 10_000;

/**
 * Divides the event loop among callers: the next request to be read and compiled is of the caller that has used least
 * of it. A caller alone loses nothing.
 */
export class Turns {
  readonly #waiting = new FairShares(MAX_WAITING);
  /** The requests of each caller that wait, in the order in which they came. */
  readonly #lines = new Map<string, (() => void)[]>();
  /** Milliseconds of each caller for its weight. A caller that comes begins where the others are. */
  readonly #used = new Map<string, number>();
  /** The use of the caller that ran last. */
  #reached = 0;
  #spentMs = 0;
  #isScheduled = false;

  /**
   * Runs `work` in the caller's turn, and counts the time until it first waits for something.
   * @throws BusyError where too many wait, the reason of `signal`, and what `work` throws
   */
  async run<T>(share: Share, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const caller = callerOf(share);
    if (this.#spentMs >= TURN_MS || this.#lines.size > 0) await this.#wait(share, caller);
    const began = performance.now();
    try {
      signal?.throwIfAborted();
      return work();
    } finally {
      this.#charge(caller, (performance.now() - began) / share.weight);
      this.#spentMs += performance.now() - began;
      this.#continue();
    }
  }

  async #wait(share: Share, caller: string): Promise<void> {
    if (!this.#waiting.take(share, 1)) throw new BusyError('too many requests wait');
    await new Promise<void>((resolve) => {
      const line = this.#lines.get(caller) ?? [];
      line.push(resolve);
      this.#lines.set(caller, line);
    });
    this.#waiting.giveBack(share, 1);
  }

  #charge(caller: string, milliseconds: number): void {
    this.#reached = Math.max(this.#reached, this.#useOf(caller));
    this.#used.set(caller, this.#useOf(caller) + milliseconds);
    if (this.#used.size <= MAX_CALLERS) return;
    for (const [key, use] of this.#used) if (use <= this.#reached) this.#used.delete(key);
  }

  #useOf(caller: string): number {
    return Math.max(this.#reached, this.#used.get(caller) ?? 0);
  }

  #continue(): void {
    if (this.#spentMs < TURN_MS) this.#begin();
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#spentMs = 0;
      if (this.#lines.size > 0) this.#begin();
    });
  }

  /** Lets one waiting request run, which continues with the next one. */
  #begin(): void {
    let next: string | undefined;
    for (const caller of this.#lines.keys()) {
      if (next === undefined || this.#useOf(caller) < this.#useOf(next)) next = caller;
    }
    const line = next === undefined ? undefined : this.#lines.get(next);
    const begin = line?.shift();
    if (next !== undefined) this.#lines.delete(next);
    // The caller that was served last stands last, so that equals take turns.
    if (next !== undefined && line && line.length > 0) this.#lines.set(next, line);
    begin?.();
  }
}
