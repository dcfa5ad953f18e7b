/**
 * When an operation has to be over. Postgres limits the time of each statement; a plugin may wait for something else,
 * and would hold a connection meanwhile.
 */
export class Deadline {
  readonly #makeError: () => Error;
  readonly #expired = Promise.withResolvers<never>();
  #timer: NodeJS.Timeout | undefined;
  #hasPassed = false;

  constructor(ms: number, makeError: () => Error) {
    this.#makeError = makeError;
    // A rejection without a waiter would end the process.
    this.#expired.promise.catch(() => {});
    this.restart(ms);
  }

  /** Counts from now on, e.g. once there is a connection. */
  restart(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#hasPassed = true;
      this.#expired.reject(this.#makeError());
    }, ms);
  }

  /** @throws the error of the deadline once it has passed */
  check(): void {
    if (this.#hasPassed) throw this.#makeError();
  }

  /** Waits for work until the deadline; work that takes longer is not stopped. */
  async bound<T>(work: Promise<T>): Promise<T> {
    try {
      return await Promise.race([work, this.#expired.promise]);
    } finally {
      clearTimeout(this.#timer);
      work.catch(() => {});
    }
  }
}
