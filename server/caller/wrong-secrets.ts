import type { Request } from 'express';
import type pino from 'pino';
import { tooMany, uncounted } from '../http/too-many-requests.ts';
import { networkOf } from './network.ts';
import type { RateStore } from './rate-store.ts';

/**
 * Limits how often one address may send a wrong secret (admin secret, platform token, metrics token). It is called only
 * after a secret was found wrong, so a caller with the right secret behind the same address is never refused.
 */
export interface WrongSecrets {
  /** Counts one wrong secret. @throws Refusal 429 when there were too many, 503 when counting fails */
  count(request: Pick<Request, 'ip'>): Promise<void>;
}

export interface WrongSecretsOptions {
  readonly rates: RateStore;
  /** The maximum from one address. */
  readonly perMinute: number;
  readonly logger: pino.Logger;
}

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
