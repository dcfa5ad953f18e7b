/** Wakes a waiting loop. A signal that arrives while the loop is not waiting ends the next wait immediately. */
export class WakeSignal {
  #isSet = false;
  #wake: (() => void) | undefined;

  notify(): void {
    this.#isSet = true;
    this.#wake?.();
  }

  /** Resolves at the next `notify`, or after this many milliseconds. */
  async wait(ms: number): Promise<void> {
    if (!this.#isSet) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#wake = undefined;
    }
    this.#isSet = false;
  }
}
