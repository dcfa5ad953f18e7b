import type { Retry } from '../../../permissions/index.ts';

/** The maximum random part of a wait. It keeps events that failed together from being retried together. */
const jitter = 0.25;

/**
 * Returns the wait after consecutive failures, in milliseconds: the interval, doubled each time, up to the maximum. A
 * receiver can request a longer wait but not a shorter one, which would use up the retries too early.
 */
export function retryWaitMs(
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
