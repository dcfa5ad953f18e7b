import { createHmac } from 'node:crypto';
import type pg from 'pg';
import { makeRateStore, type RateStore } from '../../../caller/rate-store.ts';
import { makeLimiter, rateKey } from './rate-limit-table.ts';

/** Makes a rate store in the table rowgate_auth.rate_limit, which all instances share. */
export function makeSharedRates(pool: pg.Pool, secretKey: string): RateStore {
  const key = rateKey(secretKey);
  return makeRateStore(
    // Each rate has its own prefix, so that a row is never compared with another rate's limit.
    (rate, name) => makeLimiter(pool, `operation:${name}`, rate),
    (who) => createHmac('sha256', key).update(who).digest('base64url'),
  );
}
