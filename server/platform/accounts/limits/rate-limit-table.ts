import { hkdfSync } from 'node:crypto';
import type pg from 'pg';
import { RateLimiterPostgres } from 'rate-limiter-flexible';
import type { Rate } from '../../../caller/rate-store.ts';

/** Keys the digests under which addresses and people are counted: those alone are soon guessed. */
export function rateKey(secretKey: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, '', 'rowgate rate limits', 32));
}

/** A limiter on the table; the rows of different prefixes are apart. */
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
    // Whoever has used everything up is refused from memory: a flood is no load for the database.
    inMemoryBlockOnConsumed: requests,
  });
}
