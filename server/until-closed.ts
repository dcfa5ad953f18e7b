/** Begins work that runs until `close`. `close` aborts the signal and waits until the work has ended. */
export function untilClosed(work: (stop: AbortSignal) => Promise<void>): {
  close(): Promise<void>;
} {
  const stop = new AbortController();
  const finished = work(stop.signal);
  return {
    close: () => {
      stop.abort();
      return finished;
    },
  };
}
