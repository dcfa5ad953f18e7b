import type { Caller } from '../../caller/authenticate.ts';
import { variablesOrNetwork } from '../../caller/caller-share.ts';
import { networkOf } from '../../caller/network.ts';

/** A caller, with the address and the headers of the request. */
export interface RequestCaller {
  readonly caller: Caller;
  /** The client's address; behind proxies, the address that the trusted proxies report. */
  readonly address: string | undefined;
  /** Request headers by lower-case name; absent: none. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/**
 * Returns a key that is equal for callers with the same role and the same session variables. Callers without session
 * variables have the same key if they come from the same network.
 */
export function sessionKey({ caller, address }: RequestCaller): string {
  return JSON.stringify([caller.role.name, variablesOrNetwork(caller, address)]);
}

/** Like {@link sessionKey}, but a caller has the same key in each role. */
export function callerKey({ caller, address }: RequestCaller): string {
  return JSON.stringify(variablesOrNetwork(caller, address));
}

/** Returns a key that is equal for callers of a role in one network. */
export function addressKey({ caller, address }: RequestCaller): string {
  return JSON.stringify([caller.role.name, networkOf(address ?? '')]);
}
