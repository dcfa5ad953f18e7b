import { RateLimiterRes } from 'rate-limiter-flexible';

/** A limit: this many requests in this many seconds. */
export interface Rate {
  readonly requests: number;
  readonly seconds: number;
}

/**
 * Counts the requests of each key within a window of time. Rejects with a RateLimiterRes, which has the time to wait,
 * when the limit is exceeded.
 */
interface Limiter {
  consume(key: string): Promise<unknown>;
}

/** Counts uses of a key, such as requests or wrong secrets, to limit their rate. */
export interface RateStore {
  /**
   * Counts one use of `key`; the store contains only a digest of the key. Returns 0 within the limit, and otherwise the
   * milliseconds to wait. Rejects when counting fails.
   */
  count(key: string, rate: Rate): Promise<number>;
}

/** Makes a store that creates one limiter for each rate, at the first use of the rate. */
export function makeRateStore(
  make: (rate: Rate, name: string) => Limiter,
  digestOf: (key: string) => string,
): RateStore {
  const limiters = new Map<string, Limiter>();
  return {
    count: async (key, rate) => {
      const name = `${rate.requests}/${rate.seconds}`;
      const limiter = limiters.get(name) ?? make(rate, name);
      limiters.set(name, limiter);
      try {
        await limiter.consume(digestOf(key));
        return 0;
      } catch (error) {
        if (error instanceof RateLimiterRes) return Math.max(1, error.msBeforeNext);
        throw error;
      }
    },
  };
}
