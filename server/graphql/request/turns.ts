import { BusyError } from '../../db/requests/busy-error.ts';
import { callerOf, FairShares, type Share } from '../../db/requests/fair-shares.ts';

/** Milliseconds that requests may use in one round of the event loop, before Node serves sockets and timers. */
const TURN_MS = 1;
/** Maximum number of waiting requests of all callers together. */
const MAX_WAITING = 1000;
/** Number of known callers above which `Turns` forgets callers that have used no more time than the others. */
const MAX_CALLERS = 10_000;

/**
 * Divides the time of the event loop among callers. The next request that is checked and compiled belongs to the caller
 * that has used the least time. A caller without competitors loses no time.
 */
export class Turns {
  readonly #waiting = new FairShares(MAX_WAITING);
  /** The waiting requests of each caller, in the order of their arrival. */
  readonly #lines = new Map<string, (() => void)[]>();
  /** Milliseconds that each caller has used, divided by its weight. A new caller starts at the level of the others. */
  readonly #used = new Map<string, number>();
  /**
   * The used time of the caller that ran last. A new caller starts with this time, because a caller that starts at 0
   * would run before all others for a long time.
   */
  #level = 0;
  #spentMs = 0;
  #isScheduled = false;

  /**
   * Runs `work` in the caller's turn, and counts the time until its first asynchronous wait.
   * @throws BusyError when too many requests wait, the reason of `signal`, and any error of `work`
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
    this.#level = Math.max(this.#level, this.#useOf(caller));
    this.#used.set(caller, this.#useOf(caller) + milliseconds);
    if (this.#used.size <= MAX_CALLERS) return;
    for (const [key, use] of this.#used) if (use <= this.#level) this.#used.delete(key);
  }

  #useOf(caller: string): number {
    return Math.max(this.#level, this.#used.get(caller) ?? 0);
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

  /** Starts one waiting request. When that request has used its time, the method starts the next request. */
  #begin(): void {
    let next: string | undefined;
    for (const caller of this.#lines.keys()) {
      if (next === undefined || this.#useOf(caller) < this.#useOf(next)) next = caller;
    }
    const line = next === undefined ? undefined : this.#lines.get(next);
    const begin = line?.shift();
    if (next !== undefined) this.#lines.delete(next);
    // The caller that was served last moves to the end, so that callers with equal use take turns.
    if (next !== undefined && line && line.length > 0) this.#lines.set(next, line);
    begin?.();
  }
}
