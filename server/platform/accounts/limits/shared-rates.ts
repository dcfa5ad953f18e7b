import { createHmac } from 'node:crypto';
import type pg from 'pg';
import { makeRateStore, type RateStore } from '../../../caller/rate-store.ts';
import { makeLimiter, rateKey } from './rate-limit-table.ts';

/** Counts in the table rowgate_auth.rate_limit, for all instances together. */
export function makeSharedRates(pool: pg.Pool, secretKey: string): RateStore {
  const key = rateKey(secretKey);
  return makeRateStore(
    // Other numbers are another window, so that a row is never read with the wrong ones.
    (rate, name) => makeLimiter(pool, `operation:${name}`, rate),
    (who) => createHmac('sha256', key).update(who).digest('base64url'),
  );
}
