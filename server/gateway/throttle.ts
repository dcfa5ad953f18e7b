import { setTimeout as delay } from 'node:timers/promises';

/** Work that can be requested at any rate but runs at a limited rate. */
export interface Throttled {
  /** Resolves after a run that began after this request, or when the throttle is closed. */
  request(): Promise<void>;
  /** Waits until running work has ended, and drops requests whose run has not begun. */
  close(): Promise<void>;
}

/**
 * Runs the work for each request, one run at a time, with at least `pauseMs` milliseconds between two starts. All
 * requests that arrive in between share the next run. The work must not throw.
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
