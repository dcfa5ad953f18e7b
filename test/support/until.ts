import { setTimeout } from 'node:timers/promises';

const pauseMs = 10;

/**
 * Calls a function until its result is not undefined, false or empty, and returns that result. Between two calls it
 * leaves the processor to other work. The timeout of the test limits the time.
 */
export async function until<T>(ask: () => Promise<T>): Promise<NonNullable<T>> {
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    await setTimeout(pauseMs);
  }
}
