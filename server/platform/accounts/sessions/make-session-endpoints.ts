import type { Access } from '../../../http/endpoint/access.ts';
import type { Endpoint } from '../../../http/endpoint/define-endpoint.ts';
import { type LogoutOptions, logout } from './logout.ts';
import { destroySession, readSession } from './session-endpoints.ts';
import type { SignedIn } from './signed-in-access.ts';
import { type ExchangeOptions, tokenExchange } from './token-exchange.ts';

export interface SessionEndpointsOptions extends ExchangeOptions, LogoutOptions {
  readonly access: Access<SignedIn>;
}

/** Makes the endpoints that begin, read and end sessions. */
export function makeSessionEndpoints(options: SessionEndpointsOptions): readonly Endpoint[] {
  return [
    tokenExchange(options),
    readSession(options.access),
    destroySession(options),
    logout(options),
  ];
}
