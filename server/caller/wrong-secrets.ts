import type { Request } from 'express';
import type pino from 'pino';
import { tooMany, uncounted } from '../http/too-many-requests.ts';
import { networkOf } from './network.ts';
import type { RateStore } from './rate-store.ts';

/**
 * Bounds how often one address may bring a wrong secret: of the admin, of the platform, of metrics. Asked only after a
 * secret was compared and is wrong, so that others behind the same address are let in by a right one at any time.
 */
export interface WrongSecrets {
  /** Counts one more. @throws Refusal 429 where it is one too many; 503 where it cannot be counted */
  count(request: Pick<Request, 'ip'>): Promise<void>;
}

export interface WrongSecretsOptions {
  readonly rates: RateStore;
  /** From one address. */
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
