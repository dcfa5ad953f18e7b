/**
 * Has sockets that send many messages at once read one after the other, one in each round of the event loop. Node reads
 * up to 2 MiB of a connection in one round, and all of them before it answers anybody else.
 */
export class ReadTurns {
  readonly #waiting: (() => void)[] = [];
  #isScheduled = false;

  /** @param resume called when it is this socket's turn */
  wait(resume: () => void): void {
    this.#waiting.push(resume);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.length === 0) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#waiting.shift()?.();
      this.#schedule();
    });
  }
}
