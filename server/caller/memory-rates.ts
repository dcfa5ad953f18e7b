import { createHash } from 'node:crypto';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { makeRateStore, type RateStore } from './rate-store.ts';

/** Counts in this process alone. */
export function makeMemoryRates(): RateStore {
  return makeRateStore(
    ({ requests, seconds }) => new RateLimiterMemory({ points: requests, duration: seconds }),
    // Of one length, however long the variables of a session are.
    (key) => createHash('sha256').update(key).digest('hex'),
  );
}
