import type { Request } from 'express';
import { networkOf } from '../../../caller/network.ts';

/** How often an address may try what turns out to be wrong. */
export interface WrongTries {
  /** Asks no database. @throws Refusal 429 where the address has tried too often, as far as this process knows */
  refuseMore(request: Request): void;
  /** Counts one more. @throws Refusal 429 where it is one too many; 503 where it cannot be counted */
  count(request: Request): Promise<void>;
  /** Forgets those who may try again. */
  clean(): void;
}

export interface WrongTriesOptions {
  /** Counts one more of somebody, for all instances: the milliseconds after which to try again, 0 for at once. */
  readonly waitOf: (who: string) => Promise<number>;
  /** What is thrown. */
  readonly tooMany: (milliseconds: number) => Error;
}

export function makeWrongTries({ waitOf, tooMany }: WrongTriesOptions): WrongTries {
  /** Until when they are refused, by network. */
  const refused = new Map<string, number>();
  return {
    refuseMore: ({ ip = '' }) => {
      const left = (refused.get(networkOf(ip)) ?? 0) - Date.now();
      if (left > 0) throw tooMany(left);
    },
    count: async ({ ip = '' }) => {
      const network = networkOf(ip);
      const wait = await waitOf(`address:${network}`);
      if (wait === 0) return;
      refused.set(network, Date.now() + wait);
      throw tooMany(wait);
    },
    clean: () => {
      const now = Date.now();
      for (const [network, until] of refused) if (until <= now) refused.delete(network);
    },
  };
}
