/** Waits for the other side, but not for ever: what takes too long is aborted. */
export class Patience {
  readonly #tooLong = new AbortController();
  /** For the work that is waited for; aborted also when nobody wants its outcome any more. */
  readonly signal: AbortSignal;

  /**
   * @param unwanted aborted when the outcome is not wanted any more
   * @param wholeMs for everything together, in milliseconds
   */
  constructor(unwanted: AbortSignal, wholeMs: number) {
    const whole = setTimeout(() => this.#tooLong.abort(), wholeMs).unref();
    // What is over must not be kept in memory until then.
    unwanted.addEventListener('abort', () => clearTimeout(whole), { once: true });
    this.signal = AbortSignal.any([unwanted, this.#tooLong.signal]);
  }

  /** Whether it has come to an end by time. */
  get isOver(): boolean {
    return this.#tooLong.signal.aborted;
  }

  /** Work that heeds the signal, and gets no more than so many milliseconds. */
  async wait<T>(work: Promise<T>, ms: number): Promise<T> {
    const timer = setTimeout(() => this.#tooLong.abort(), ms);
    try {
      return await work;
    } finally {
      clearTimeout(timer);
    }
  }
}
