import { setTimeout as delay } from 'node:timers/promises';

/** Work that others may ask for as often as they like. */
export interface Throttled {
  /** Resolves when the work that was asked for is done, or when it is closed. */
  request(): Promise<void>;
  /** Waits for work under way; what waits for its turn is given up. */
  close(): Promise<void>;
}

/**
 * Runs work one after the other and lets some time pass between two starts: requests that come meanwhile are one
 * more. The work must not throw.
 */
export function throttle(work: () => Promise<void>, pauseMs: number): Throttled {
  const stop = new AbortController();
  let running: Promise<void> = Promise.resolve();
  let pause: Promise<unknown> = Promise.resolve();
  let isWaiting = false;
  const run = async () => {
    await pause;
    isWaiting = false;
    if (stop.signal.aborted) return;
    pause = delay(pauseMs, undefined, { signal: stop.signal, ref: false }).catch(() => {});
    await work();
  };
  return {
    request: () => {
      if (!isWaiting) {
        isWaiting = true;
        running = running.then(run);
      }
      return running;
    },
    close: () => {
      stop.abort();
      return running;
    },
  };
}
