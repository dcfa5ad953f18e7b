import type { Caller } from '../../caller/authenticate.ts';
import { variablesOrNetwork } from '../../caller/caller-share.ts';
import { networkOf } from '../../caller/network.ts';

/** A caller and where the request comes from. */
export interface RequestCaller {
  readonly caller: Caller;
  /** The client's address; behind proxies, the address that the trusted proxies report. */
  readonly address: string | undefined;
  /** The request's headers, by lower-case name; absent: none. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** Groups callers of a role with equal variables, and callers of a role without any by their network. */
export function sessionKey({ caller, address }: RequestCaller): string {
  return JSON.stringify([caller.role.name, variablesOrNetwork(caller, address)]);
}

/** Groups callers of all roles with equal variables, and callers without any by their network. */
export function callerKey({ caller, address }: RequestCaller): string {
  return JSON.stringify(variablesOrNetwork(caller, address));
}

/** Groups callers of a role from one network. */
export function addressKey({ caller, address }: RequestCaller): string {
  return JSON.stringify([caller.role.name, networkOf(address ?? '')]);
}
