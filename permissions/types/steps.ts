import { setImmediate as nextRound } from 'node:timers/promises';

/** Work that can be interrupted after each step. The generator returns the result. */
export type Steps<T> = Generator<void, T, void>;

/** Milliseconds of one slice. Other requests wait at most for one slice and the step that ends it. */
const SLICE_MS = 4;

/**
 * Runs the steps in slices. Between two slices the event loop serves other requests, and sends the next query to a
 * Postgres that would otherwise wait.
 */
export async function runInSlices<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const end = performance.now() + SLICE_MS;
    do {
      const { done, value } = steps.next();
      if (done) return value;
    } while (performance.now() < end);
    await nextRound();
  }
}

/** Runs all steps without a pause. */
export function runAtOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
