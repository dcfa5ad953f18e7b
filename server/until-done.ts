/**
 * Makes a function that runs the work at the first call. All callers wait for the same run. After a failed run, the
 * next call runs the work again.
 */
export function untilDone(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= work().catch((error: unknown) => {
      running = undefined;
      throw error;
    });
    return running;
  };
}
