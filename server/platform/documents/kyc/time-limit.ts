/** Limits the time of a request in total and for each step. */
export class TimeLimit {
  readonly #tooLong = new AbortController();
  /** Aborted by a timeout or by the outer signal. */
  readonly signal: AbortSignal;

  /**
   * @param outer aborts the work early
   * @param totalMs the time limit for the whole request, in milliseconds
   */
  constructor(outer: AbortSignal, totalMs: number) {
    const totalTimer = setTimeout(() => this.#tooLong.abort(), totalMs).unref();
    // Cleared at an abort, because a pending timer would keep the request in memory until the time limit.
    outer.addEventListener('abort', () => clearTimeout(totalTimer), { once: true });
    this.signal = AbortSignal.any([outer, this.#tooLong.signal]);
  }

  /** Whether a time limit was exceeded. */
  get isOver(): boolean {
    return this.#tooLong.signal.aborted;
  }

  /** Runs work that observes the signal, for at most this many milliseconds. */
  async wait<T>(work: Promise<T>, ms: number): Promise<T> {
    const timer = setTimeout(() => this.#tooLong.abort(), ms);
    try {
      return await work;
    } finally {
      clearTimeout(timer);
    }
  }
}
