import type { Retry } from '../../../permissions/index.ts';

/** Part of a wait that is left to chance, so that what failed together does not come back together. */
const jitter = 0.25;

/**
 * Milliseconds to wait after so many failures in a row: the interval, then twice as long each time, up to the longest
 * one. A receiver can ask for more time, not for less: its tries would be over before it is back.
 */
export function backOffMs(
  failures: number,
  { interval, maxInterval }: Retry,
  retryAfterMs: number | undefined,
  random: () => number = Math.random,
): number {
  const share = jitter * random();
  const wait = interval * 2 ** Math.max(0, failures - 1) * (1 + share);
  const own = Math.round(1000 * (wait > maxInterval ? maxInterval * (1 - share) : wait));
  return Math.max(own, retryAfterMs ?? 0);
}
