/** Limits the number of concurrent tasks. Further tasks wait in order of arrival. */
export class ConcurrencyLimit {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Runs the work once a place is free, and returns its result. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // The next waiting task gets the place directly, so that no later task can take the place first.
      if (next) next();
      else this.#free += 1;
    }
  }
}
