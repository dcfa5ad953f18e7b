import { createHmac } from 'node:crypto';
import type { Request } from 'express';
import type pg from 'pg';
import type pino from 'pino';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { networkOf } from '../../../caller/network.ts';
import type { Rate } from '../../../caller/rate-store.ts';
import type { WrongSecrets } from '../../../caller/wrong-secrets.ts';
import { tooMany, uncounted } from '../../../http/answers/too-many-requests.ts';
import type { Rates } from '../../config/identity-config.ts';
import { makeLimiter, rateKey } from './rate-limit-table.ts';
import { makeWrongKeys, type WrongKeys } from './wrong-keys.ts';

/** The requests that are counted: exchanges of a token for a session, and requests for other tokens. */
export type RateKind = keyof Rates;

/** Limits the rate of requests. All instances on the database count together. */
export interface RateLimits {
  /** Makes the `limit` of an endpoint, which counts requests by network. It throws Refusal 429 or 503. */
  byAddress(kind: RateKind): (request: Request) => Promise<void>;
  /**
   * Counts one request of an account.
   * @param account `user:<id>` or `key:<id>`
   * @throws Refusal 429; 503 when the database does not answer
   */
  byAccount(kind: RateKind, account: string): Promise<void>;
  /** Limits wrong API keys, to as many as exchanges. */
  readonly wrongKeys: Omit<WrongKeys, 'clean'>;
  /**
   * Limits texts that are not API keys, to the same number. They are counted separately, because they cause no database
   * query and must not block valid keys of the same network.
   */
  readonly malformedKeys: WrongSecrets;
  close(): void;
}

export interface RateLimitOptions {
  readonly pool: pg.Pool;
  readonly rates: Rates;
  /** The key of the digests that are stored instead of addresses. */
  readonly secretKey: string;
  readonly logger: pino.Logger;
}

const cleaningMs = 5 * 60_000;

/** Makes limits that count in the table rowgate_auth.rate_limit. */
export function makeRateLimits({ pool, rates, secretKey, logger }: RateLimitOptions): RateLimits {
  const key = rateKey(secretKey);
  const limiters = {
    exchange: makeLimiter(pool, 'exchange', perMinute(rates.exchange)),
    tokens: makeLimiter(pool, 'tokens', perMinute(rates.tokens)),
    'wrong-key': makeLimiter(pool, 'wrong-key', perMinute(rates.exchange)),
  };
  const waitOf = async (kind: keyof typeof limiters, who: string) => {
    const digest = createHmac('sha256', key).update(who).digest('base64url');
    try {
      await limiters[kind].consume(digest);
      return 0;
    } catch (error) {
      if (error instanceof RateLimiterRes) return Math.max(1, error.msBeforeNext);
      throw uncounted(error, logger);
    }
  };
  const count = async (kind: keyof typeof limiters, who: string) => {
    const wait = await waitOf(kind, who);
    if (wait > 0) throw tooMany(wait);
  };
  const wrongKeys = makeWrongKeys((who) => waitOf('wrong-key', who));
  const clean = () => {
    wrongKeys.clean();
    void removeExpired(pool, logger);
  };
  const cleaning = setInterval(clean, cleaningMs).unref();
  return {
    byAddress: (kind) => (request) => count(kind, `address:${networkOf(request.ip ?? '')}`),
    byAccount: (kind, account) => count(kind, `account:${account}`),
    wrongKeys,
    malformedKeys: {
      count: ({ ip = '' }) => count('wrong-key', `malformed:address:${networkOf(ip)}`),
    },
    close: () => clearInterval(cleaning),
  };
}

function perMinute(requests: number): Rate {
  return { requests, seconds: 60 };
}

async function removeExpired(pool: pg.Pool, logger: pino.Logger): Promise<void> {
  try {
    await pool.query('delete from rowgate_auth.rate_limit where expire < $1', [Date.now()]);
  } catch (error) {
    logger.warn({ err: error }, 'cannot remove expired rows of the rate limits');
  }
}
