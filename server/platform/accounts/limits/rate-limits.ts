import { createHmac } from 'node:crypto';
import type { Request } from 'express';
import type pg from 'pg';
import type pino from 'pino';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { networkOf } from '../../../caller/network.ts';
import type { Rate } from '../../../caller/rate-store.ts';
import { tooMany, uncounted } from '../../../http/too-many-requests.ts';
import type { Rates } from '../../config/identity-config.ts';
import { makeLimiter, rateKey } from './rate-limit-table.ts';
import { makeWrongTries, type WrongTries } from './wrong-keys.ts';

/** What is counted: exchanges of a token for a session, and tokens asked for. */
export type RateKind = keyof Rates;

/** How often somebody may ask, counted by all instances on the database together. */
export interface RateLimits {
  /** For `limit` of an endpoint: counts by where the request comes from. It throws Refusal 429, or 503. */
  byAddress(kind: RateKind): (request: Request) => Promise<void>;
  /** Counts by who asks: `user:<id>`, `key:<id>`. @throws Refusal 429; 503 where the database does not answer */
  byAccount(kind: RateKind, account: string): Promise<void>;
  /** Of API keys: as many as exchanges. */
  readonly wrongKeys: Omit<WrongTries, 'clean'>;
  /**
   * Of texts that are no API keys, likewise. Apart, since a right key is refused while `wrongKeys` are too many, and
   * these cost no look into the database.
   */
  readonly malformedKeys: Pick<WrongTries, 'count'>;
  close(): void;
}

export interface RateLimitOptions {
  readonly pool: pg.Pool;
  readonly rates: Rates;
  /** Keys the digests under which addresses are stored: those alone are soon guessed. */
  readonly secretKey: string;
  readonly logger: pino.Logger;
}

const cleaningMs = 5 * 60_000;

/** Counts in the table rowgate_auth.rate_limit. */
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
  const count = async (kind: RateKind, who: string) => {
    const wait = await waitOf(kind, who);
    if (wait > 0) throw tooMany(wait);
  };
  const wrongKeys = makeWrongTries({ waitOf: (who) => waitOf('wrong-key', who), tooMany });
  const malformedKeys = makeWrongTries({
    waitOf: (who) => waitOf('wrong-key', `malformed:${who}`),
    tooMany,
  });
  const clean = () => {
    wrongKeys.clean();
    malformedKeys.clean();
    void removeExpired(pool, logger);
  };
  const cleaning = setInterval(clean, cleaningMs).unref();
  return {
    byAddress: (kind) => (request) => count(kind, `address:${networkOf(request.ip ?? '')}`),
    byAccount: (kind, account) => count(kind, `account:${account}`),
    wrongKeys,
    malformedKeys,
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
    logger.warn({ err: error }, 'cannot remove what was counted long ago');
  }
}
