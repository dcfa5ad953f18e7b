import type { Share } from '../db/requests/fairness/fair-shares.ts';
import type { Caller } from './authenticate.ts';
import type { CallerRequest } from './caller-request.ts';
import { networkOf } from './network.ts';

/**
 * Weight of callers with the admin secret. With this weight, one such caller may hold four fifths of the connections
 * and the memory; another caller may hold half.
 */
const ADMIN_WEIGHT = 4;

/** The shares of callers with session variables, which do not depend on the address. */
const shares = new WeakMap<Caller, Share>();

/** Computes the share of connections, memory and time that a request of the caller uses. */
export function shareOf(caller: Caller, request: Pick<CallerRequest, 'ip'>): Share {
  if (caller.variables.size === 0) return makeShare(caller, request.ip);
  const known = shares.get(caller);
  if (known) return known;
  const share = makeShare(caller, undefined);
  shares.set(caller, share);
  return share;
}

function makeShare(caller: Caller, address: string | undefined): Share {
  const { role, person } = caller;
  return {
    role: role.postgresName,
    caller: JSON.stringify(variablesOrNetwork(caller, address)),
    person,
    weight: role.name === 'admin' ? ADMIN_WEIGHT : (role.limits?.weight ?? 1),
  };
}

/** Distinguishes callers by their session variables, or by the network of their address when they have none. */
export function variablesOrNetwork(
  { variables }: Pick<Caller, 'variables'>,
  address: string | undefined,
): readonly (readonly [string, string])[] | string {
  if (variables.size === 0) return networkOf(address ?? '');
  return [...variables].toSorted(([a], [b]) => (a < b ? -1 : 1));
}
