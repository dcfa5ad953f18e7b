import { setImmediate as nextRound } from 'node:timers/promises';
import type { Steps } from '../permissions/index.ts';

/** Milliseconds of one slice. Other requests wait at most for one slice and the step that ends it. */
const SLICE_MS = 4;

/** Runs the steps in slices, between which the event loop serves other requests. */
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
