import { setTimeout } from 'node:timers/promises';

const pauseMs = 10;

/**
 * Asks until there is an answer that counts (not undefined, false or empty), and gives that. Between two times it
 * leaves the processor to what it waits for; how long it may take is the test's own limit.
 */
export async function until<T>(ask: () => Promise<T>): Promise<NonNullable<T>> {
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    await setTimeout(pauseMs);
  }
}
