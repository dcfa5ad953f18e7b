/** Work that can be interrupted after each step. The generator returns the result. */
export type Steps<T> = Generator<void, T, void>;

/** Runs steps to their end. A server lets other requests run between them. */
export type RunSteps = <T>(steps: Steps<T>) => Promise<T>;

/** Runs all steps without a pause. */
export function runAtOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
