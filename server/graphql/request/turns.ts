import { BusyError } from '../../db/requests/fairness/busy-error.ts';
import { callerOf, FairShares, type Share } from '../../db/requests/fairness/fair-shares.ts';

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
  run<T>(share: Share, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const mustWait = this.#spentMs >= TURN_MS || this.#lines.size > 0;
    // A request that need not wait begins at once, without a further turn of the queue of promises.
    return mustWait ? this.#runLater(share, work, signal) : this.#runNow(share, work, signal);
  }

  #runNow<T>(share: Share, work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const began = performance.now();
    try {
      signal?.throwIfAborted();
      return work();
    } catch (error) {
      return Promise.reject(error);
    } finally {
      const milliseconds = performance.now() - began;
      this.#charge(callerOf(share), milliseconds / share.weight);
      this.#spentMs += milliseconds;
      this.#continue();
    }
  }

  async #runLater<T>(
    share: Share,
    work: () => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    await this.#wait(share);
    return this.#runNow(share, work, signal);
  }

  async #wait(share: Share): Promise<void> {
    if (!this.#waiting.take(share, 1)) throw new BusyError('too many requests wait');
    const caller = callerOf(share);
    await new Promise<void>((resolve) => {
      const line = this.#lines.get(caller) ?? [];
      line.push(resolve);
      this.#lines.set(caller, line);
    });
    this.#waiting.giveBack(share, 1);
  }

  #charge(caller: string, milliseconds: number): void {
    this.#level = this.#useOf(caller);
    this.#used.set(caller, this.#level + milliseconds);
    if (this.#used.size > MAX_CALLERS) this.#forget();
  }

  /** Forgets callers that others have caught up with, and otherwise the oldest ones, so that it is rarely called. */
  #forget(): void {
    for (const [key, use] of this.#used) if (use <= this.#level) this.#used.delete(key);
    for (const key of this.#used.keys()) {
      if (this.#used.size <= MAX_CALLERS / 2) return;
      this.#used.delete(key);
    }
  }

  #useOf(caller: string): number {
    return Math.max(this.#level, this.#used.get(caller) ?? 0);
  }

  #continue(): void {
    if (this.#spentMs < TURN_MS && this.#lines.size > 0) this.#begin();
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(this.#endRound);
  }

  readonly #endRound = () => {
    this.#isScheduled = false;
    this.#spentMs = 0;
    if (this.#lines.size > 0) this.#begin();
  };

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
