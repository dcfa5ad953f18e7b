/** Lets so much work be under way at once; the rest waits in the order in which it came. */
export class ConcurrencyLimit {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Result of the work, which begins when its turn comes. */
  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      this.#giveOn();
    }
  }

  #giveOn(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free += 1;
  }
}
