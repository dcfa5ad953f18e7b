import type { Request } from 'express';
import { networkOf } from '../../../caller/network.ts';
import type { WrongSecrets } from '../../../caller/wrong-secrets.ts';
import { tooMany } from '../../../http/answers/too-many-requests.ts';

/** Limits how many wrong API keys one network may send. A blocked network is refused even with a right key. */
export interface WrongKeys extends WrongSecrets {
  /**
   * Refuses a network that this process has blocked, without a query to the database.
   * @throws Refusal 429
   */
  refuseBlocked(request: Pick<Request, 'ip'>): void;
  /** Removes the records of networks whose block has ended. */
  clean(): void;
}

/**
 * @param waitOf counts one wrong API key of a network in all instances; returns 0 within the limit, otherwise the
 * milliseconds to wait
 */
export function makeWrongKeys(waitOf: (key: string) => Promise<number>): WrongKeys {
  /** The end of each network's block, in milliseconds since 1970. */
  const blocked = new Map<string, number>();
  return {
    refuseBlocked: ({ ip = '' }) => {
      const left = (blocked.get(networkOf(ip)) ?? 0) - Date.now();
      if (left > 0) throw tooMany(left);
    },
    count: async ({ ip = '' }) => {
      const network = networkOf(ip);
      const wait = await waitOf(`address:${network}`);
      if (wait === 0) return;
      blocked.set(network, Date.now() + wait);
      throw tooMany(wait);
    },
    clean: () => {
      const now = Date.now();
      for (const [network, until] of blocked) if (until <= now) blocked.delete(network);
    },
  };
}
