import { apolloProtocol } from './apollo-protocol.ts';
import type { Protocol } from './protocol.ts';
import { transportProtocol } from './transport-protocol.ts';

const protocols: ReadonlyMap<string, Protocol> = new Map(
  [transportProtocol, apolloProtocol].map((protocol) => [protocol.name, protocol]),
);

export const protocolNames: readonly string[] = [...protocols.keys()];

/** The one that a client has agreed to. */
export function protocolNamed(name: string): Protocol | undefined {
  return protocols.get(name);
}

/** The first of those that a client offers. */
export function chooseProtocol(offered: Iterable<string>): string | false {
  return [...offered].find((name) => protocols.has(name)) ?? false;
}
