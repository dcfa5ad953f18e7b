import { createHash } from 'node:crypto';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { makeRateStore, type RateStore } from './rate-store.ts';

/** Makes a rate store that counts in this process only. */
export function makeMemoryRates(): RateStore {
  return makeRateStore(
    ({ requests, seconds }) => new RateLimiterMemory({ points: requests, duration: seconds }),
    // A digest has a fixed length, however long the session variables in the key are.
    (key) => createHash('sha256').update(key).digest('hex'),
  );
}
