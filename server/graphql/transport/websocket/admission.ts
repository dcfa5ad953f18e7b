import type { Request } from 'express';
import type { WebSocket } from 'ws';
import { isCrossSite } from '../../../caller/cross-site.ts';
import { networkOf } from '../../../caller/network.ts';
import type { SocketConfig } from '../../../config/socket-config.ts';
import type { Problem } from '../../../http/answers/problem.ts';

/** Decides which sockets may be opened, and counts the open ones. */
export class Admission {
  readonly #limits: SocketConfig;
  readonly #origins: ReadonlySet<string>;
  readonly #openByNetwork = new Map<string, number>();
  #total = 0;

  /** @param origins origins of pages that may open sockets */
  constructor(limits: SocketConfig, origins: ReadonlySet<string>) {
    this.#limits = limits;
    this.#origins = origins;
  }

  /** Returns the reason to refuse an upgrade request; undefined when the request may open a socket. */
  problemOf(upgrade: Request): Problem | undefined {
    // Refuses pages of other sites. The same-origin policy of browsers hides HTTP responses from such pages, but not
    // the messages of a socket.
    if (isCrossSite(upgrade, this.#origins)) {
      const page = upgrade.headers.origin ?? 'another site';
      return { status: 403, code: 'cross-site', detail: `a page of ${page} may not open a socket` };
    }
    const own = this.#openByNetwork.get(networkOf(upgrade.ip ?? '')) ?? 0;
    if (own >= this.#limits.maxPerAddress)
      return tooMany(429, 'there are too many sockets from this address');
    if (this.#total < this.#limits.max) return undefined;
    return tooMany(503, 'the server has as many sockets as it may');
  }

  /** Counts a socket until it closes. */
  count(upgrade: Request, socket: WebSocket): void {
    const network = networkOf(upgrade.ip ?? '');
    this.#add(network, 1);
    socket.once('close', () => this.#add(network, -1));
  }

  #add(network: string, change: 1 | -1): void {
    const count = (this.#openByNetwork.get(network) ?? 0) + change;
    if (count === 0) this.#openByNetwork.delete(network);
    else this.#openByNetwork.set(network, count);
    this.#total += change;
  }
}

function tooMany(status: 429 | 503, problem: string): Problem {
  const detail = `${problem}; try again later`;
  return { status, code: 'too-many-sockets', detail, headers: { 'Retry-After': '5' } };
}
