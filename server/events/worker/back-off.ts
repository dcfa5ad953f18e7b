import type { Retry } from '../../../permissions/index.ts';

/** The random part of a wait, so that events that failed together are not retried together. */
const jitter = 0.25;

/**
 * Returns the wait after consecutive failures, in milliseconds: the interval, doubled each time, up to the maximum. A
 * receiver can ask for a longer wait but not for a shorter one, which would use up its retries too early.
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
