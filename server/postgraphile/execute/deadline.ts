/**
 * The time by which an operation must end. Postgres limits the time of each statement, but a plugin may wait for
 * another service while it holds a connection.
 */
export class Deadline {
  readonly #makeError: () => Error;
  readonly #expired = Promise.withResolvers<never>();
  #timer: NodeJS.Timeout | undefined;
  #hasPassed = false;

  constructor(ms: number, makeError: () => Error) {
    this.#makeError = makeError;
    // The promise may reject when no code awaits it. Without this handler, Node would end the process.
    this.#expired.promise.catch(() => {});
    this.restart(ms);
  }

  /**
   * Starts the time again, for example when the operation has got a connection, so that the time of waiting for a
   * connection does not count.
   */
  restart(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#hasPassed = true;
      this.#expired.reject(this.#makeError());
    }, ms);
  }

  /** @throws the error of the deadline after it has passed */
  check(): void {
    if (this.#hasPassed) throw this.#makeError();
  }

  /** Waits for work until the deadline. Does not stop work that takes longer. */
  async bound<T>(work: Promise<T>): Promise<T> {
    try {
      return await Promise.race([work, this.#expired.promise]);
    } finally {
      clearTimeout(this.#timer);
      work.catch(() => {});
    }
  }
}
