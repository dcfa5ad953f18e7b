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
export function sessionKey(asker: Asker): string {
  return JSON.stringify([asker.caller.role.name, visitorOf(asker)]);
}

/** Who counts as one in whatever roles: callers with equal variables; without any, those of one network. */
export function visitorKey(asker: Asker): string {
  return JSON.stringify(visitorOf(asker));
}

/** Callers of a role from one network. */
export function addressKey({ caller, address }: Asker): string {
  return JSON.stringify([caller.role.name, networkKey(address)]);
}

function visitorOf({ caller, address }: Asker) {
  const variables = [...caller.variables].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return variables.length > 0 ? variables : networkKey(address);
}

function networkKey(address: string | undefined): string {
  return networkOf(address ?? '');
}
