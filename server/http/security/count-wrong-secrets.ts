import type pino from 'pino';
import { networkOf } from '../../caller/network.ts';
import type { RateStore } from '../../caller/rate-store.ts';
import type { WrongSecrets } from '../../caller/wrong-secrets.ts';
import { tooMany, uncounted } from '../answers/too-many-requests.ts';

export interface WrongSecretsOptions {
  readonly rates: RateStore;
  /** Maximum wrong secrets of one address in a minute. */
  readonly perMinute: number;
  readonly logger: pino.Logger;
}

/** Makes the limit on wrong secrets, counted per address (per /64 network for IPv6) in the given store. */
export function makeWrongSecrets({ rates, perMinute, logger }: WrongSecretsOptions): WrongSecrets {
  const rate = { requests: perMinute, seconds: 60 };
  const waitOf = async (key: string) => {
    try {
      return await rates.count(key, rate);
    } catch (error) {
      throw uncounted(error, logger);
    }
  };
  return {
    count: async ({ ip = '' }) => {
      const wait = await waitOf(`wrong secret:${networkOf(ip)}`);
      if (wait > 0) throw tooMany(wait);
    },
  };
}
