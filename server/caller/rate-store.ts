import { RateLimiterRes } from 'rate-limiter-flexible';

/** So many in so many seconds. */
export interface Rate {
  readonly requests: number;
  readonly seconds: number;
}

/** What counts one window of each key. */
interface Limiter {
  consume(key: string): Promise<unknown>;
}

/** Counts how often something was done. */
export interface RateStore {
  /**
   * Counts one more of `key`, of which a store sees nothing but a digest. The milliseconds after which to try again;
   * 0 where it may be done. Rejects where it cannot be counted.
   */
  count(key: string, rate: Rate): Promise<number>;
}

/** Counts digests by a limiter for each rate, which is made when it is first counted by. */
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
