import { createHmac } from 'node:crypto';
import type pg from 'pg';
import { makeRateStore, type RateStore } from '../../../caller/rate-store.ts';
import { makeLimiter, rateKey } from './rate-limit-table.ts';

/** Makes a rate store in the table rowgate_auth.rate_limit, which all instances share. */
export function makeSharedRates(pool: pg.Pool, secretKey: string): RateStore {
  const key = rateKey(secretKey);
  return makeRateStore(
    // Each rate has a separate prefix, so that a counter for one rate is never compared with the limit of another rate.
    (rate, name) => makeLimiter(pool, `operation:${name}`, rate),
    (who) => createHmac('sha256', key).update(who).digest('base64url'),
  );
}
