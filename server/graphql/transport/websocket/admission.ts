import type { Request } from 'express';
import { networkOf } from '../../../caller/network.ts';
import type { SocketConfig } from '../../../config/socket-config.ts';
import type { Problem } from '../../../http/answers/problem.ts';
import { isCrossSite } from '../../../http/security/cross-site.ts';

type Limits = Pick<SocketConfig, 'max' | 'maxPerAddress'>;

/** Decides which sockets may be opened, and counts the open ones. */
export class Admission {
  readonly #limits: Limits;
  readonly #origins: ReadonlySet<string>;
  readonly #open = new Map<string, number>();
  #total = 0;

  /** @param origins of pages that may open sockets */
  constructor(limits: Limits, origins: ReadonlySet<string>) {
    this.#limits = limits;
    this.#origins = origins;
  }

  /** Returns the reason to refuse a request; undefined where it may have a socket. */
  problemOf(upgrade: Request): Problem | undefined {
    // Browsers let every page read the messages of a socket, unlike the answers to requests.
    if (isCrossSite(upgrade, this.#origins)) {
      const page = upgrade.headers.origin ?? 'another site';
      return { status: 403, code: 'cross-site', detail: `a page of ${page} may not open a socket` };
    }
    const own = this.#open.get(addressOf(upgrade)) ?? 0;
    if (own >= this.#limits.maxPerAddress) {
      return tooMany(429, 'there are too many sockets from this address');
    }
    if (this.#total < this.#limits.max) return undefined;
    return tooMany(503, 'the server has as many sockets as it may');
  }

  /** Counts a socket. The returned function, called when the socket is closed, counts it off once. */
  count(upgrade: Request): () => void {
    const address = addressOf(upgrade);
    let isCounted = true;
    this.#add(address, 1);
    return () => {
      if (isCounted) this.#add(address, -1);
      isCounted = false;
    };
  }

  #add(address: string, change: 1 | -1): void {
    const count = (this.#open.get(address) ?? 0) + change;
    if (count === 0) this.#open.delete(address);
    else this.#open.set(address, count);
    this.#total += change;
  }
}

function addressOf({ ip }: Request): string {
  return networkOf(ip ?? '');
}

function tooMany(status: 429 | 503, problem: string): Problem {
  const detail = `${problem}; try again later`;
  return { status, code: 'too-many-sockets', detail, headers: { 'Retry-After': '5' } };
}
