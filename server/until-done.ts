/** Makes a function that runs the work once and returns that run to all callers. After a failure the next call retries. */
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
