import { createHmac, hkdfSync } from 'node:crypto';
import type { Request } from 'express';
import type pg from 'pg';
import type pino from 'pino';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Rates } from '../../identity-config.ts';
import { Refusal } from '../../rest/problem.ts';
import { networkOf } from './network.ts';

/** What is counted: exchanges of a token for a session, and tokens asked for. */
export type RateKind = keyof Rates;

/** How often somebody may ask, counted by all instances on the database together. */
export interface RateLimits {
  /** For `limit` of an endpoint: counts by where the request comes from. It throws Refusal 429, or 503. */
  byAddress(kind: RateKind): (request: Request) => Promise<void>;
  /** Counts by who asks: `user:<id>`, `key:<id>`. @throws Refusal 429; 503 where the database does not answer */
  byAccount(kind: RateKind, account: string): Promise<void>;
  close(): void;
}

export interface RateLimitOptions {
  readonly pool: pg.Pool;
  readonly rates: Rates;
  /** Keys the digests under which addresses are stored: those alone are soon guessed. */
  readonly secretKey: string;
  readonly logger: pino.Logger;
}

const windowSeconds = 60;
const cleaningMs = 5 * 60_000;

/** Counts in the table rowgate_auth.rate_limit. */
export function makeRateLimits({ pool, rates, secretKey, logger }: RateLimitOptions): RateLimits {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'rowgate rate limits', 32));
  const limiters = {
    exchange: makeLimiter(pool, 'exchange', rates.exchange),
    tokens: makeLimiter(pool, 'tokens', rates.tokens),
  };
  const count = async (kind: RateKind, who: string) => {
    const digest = createHmac('sha256', key).update(who).digest('base64url');
    try {
      await limiters[kind].consume(digest);
    } catch (error) {
      throw error instanceof RateLimiterRes ? tooMany(error) : uncounted(error, logger);
    }
  };
  const cleaning = setInterval(() => void removeExpired(pool, logger), cleaningMs).unref();
  return {
    byAddress: (kind) => (request) => count(kind, `address:${networkOf(request.ip ?? '')}`),
    byAccount: (kind, account) => count(kind, `account:${account}`),
    close: () => clearInterval(cleaning),
  };
}

function makeLimiter(pool: pg.Pool, kind: RateKind, perMinute: number): RateLimiterPostgres {
  return new RateLimiterPostgres({
    storeClient: pool,
    storeType: 'pool',
    schemaName: 'rowgate_auth',
    tableName: 'rate_limit',
    tableCreated: true,
    clearExpiredByTimeout: false,
    keyPrefix: kind,
    points: perMinute,
    duration: windowSeconds,
    // Whoever has used everything up is refused from memory: a flood is no load for the database.
    inMemoryBlockOnConsumed: perMinute,
  });
}

function tooMany({ msBeforeNext }: RateLimiterRes): Refusal {
  const seconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
  return new Refusal({
    status: 429,
    code: 'too-many-requests',
    detail: `too many requests; try again in ${seconds} s`,
    headers: { 'Retry-After': String(seconds) },
  });
}

// Closed, not open: without a count there is no limit.
function uncounted(error: unknown, logger: pino.Logger): Refusal {
  logger.error({ err: error }, 'cannot count requests');
  const detail = 'the service cannot answer at the moment; try again later';
  return new Refusal({ status: 503, code: 'unavailable', detail });
}

async function removeExpired(pool: pg.Pool, logger: pino.Logger): Promise<void> {
  try {
    await pool.query('delete from rowgate_auth.rate_limit where expire < $1', [Date.now()]);
  } catch (error) {
    logger.warn({ err: error }, 'cannot remove what was counted long ago');
  }
}
