import { hkdfSync } from 'node:crypto';
import type pg from 'pg';
import { RateLimiterPostgres } from 'rate-limiter-flexible';
import type { Rate } from '../../../caller/rate-store.ts';

/**
 * Makes the secret key of the digests that are stored instead of addresses and people. Without a key, an address could
 * be found by computing the digests of all addresses.
 */
export function rateKey(secretKey: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, '', 'rowgate rate limits', 32));
}

/** Makes a limiter on the table rowgate_auth.rate_limit. Different prefixes are counted separately. */
export function makeLimiter(
  pool: pg.Pool,
  keyPrefix: string,
  { requests, seconds }: Rate,
): RateLimiterPostgres {
  return new RateLimiterPostgres({
    storeClient: pool,
    storeType: 'pool',
    schemaName: 'rowgate_auth',
    tableName: 'rate_limit',
    tableCreated: true,
    clearExpiredByTimeout: false,
    keyPrefix,
    points: requests,
    duration: seconds,
    // Refuses callers over the limit from memory, so that very many requests do not reach the database.
    inMemoryBlockOnConsumed: requests,
  });
}
