/** Collects functions that close opened resources, and calls them in reverse order. */
export class Closers {
  readonly #closers: (() => Promise<unknown>)[] = [];

  add(close: () => Promise<unknown>): void {
    this.#closers.push(close);
  }

  /** Closes everything, even when one function fails. Throws the first failure at the end. Safe to call again. */
  async close(): Promise<void> {
    const failures: unknown[] = [];
    for (const close of this.#closers.splice(0).reverse()) {
      await close().catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }
}

/**
 * Calls `open`, which adds a function to `closers` for each resource that it opens, and returns its result. When `open`
 * fails, closes what was opened so far and throws the failure.
 */
export async function openWhole<T>(open: (closers: Closers) => Promise<T>): Promise<T> {
  const closers = new Closers();
  try {
    return await open(closers);
  } catch (error) {
    await closers.close();
    throw error;
  }
}
