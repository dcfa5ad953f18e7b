import { variablesOrNetwork } from '../../caller-share.ts';
import type { Caller } from '../../context.ts';
import { networkOf } from '../../network.ts';

/** A caller and where the request comes from. */
export interface Asker {
  readonly caller: Caller;
  /** Of the client; behind proxies, as those that are trusted tell it. */
  readonly address: string | undefined;
  /** Of the request, by lower-case name; absent: none. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** Who counts as one: callers of a role with equal variables; without any, those of one network. */
export function sessionKey({ caller, address }: Asker): string {
  return JSON.stringify([caller.role.name, variablesOrNetwork(caller, address)]);
}

/** Who counts as one in whatever roles: callers with equal variables; without any, those of one network. */
export function visitorKey({ caller, address }: Asker): string {
  return JSON.stringify(variablesOrNetwork(caller, address));
}

/** Callers of a role from one network. */
export function addressKey({ caller, address }: Asker): string {
  return JSON.stringify([caller.role.name, networkOf(address ?? '')]);
}
