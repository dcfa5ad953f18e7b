import type { Request } from 'express';
import {
  type Authenticator,
  CallerError,
  type CallerErrorCode,
} from '../../../caller/authenticate.ts';
import { refuseCrossSite } from '../../../http/cross-site.ts';
import { Refusal } from '../../../http/problem.ts';
import { personCaller, roleOfPerson } from '../person-caller.ts';
import type { SessionMiddleware } from '../sessions/session-middleware.ts';
import {
  findSignedIn,
  type SignedIn,
  type SignedInServices,
} from '../sessions/signed-in-access.ts';

/** The role of requests that name none. */
const defaultRole = 'user';

export interface PersonOptions extends SignedInServices {
  readonly sessions: SessionMiddleware;
  /** Whether somebody who is not signed in may use the data API all the same. */
  readonly anybodyMay: boolean;
}

/**
 * Lets people use the data API by their session or their Bearer token: in a role of their own, with variables that
 * the server knows. The cookie of a session that is over counts as none.
 */
export function personAuthenticator(options: PersonOptions): Authenticator {
  return async (request, model) => {
    const who = await whoAsks(request, options);
    if (!who && options.sessions.isBrought(request) && !options.anybodyMay) throw sessionIsOver();
    if (!who) return undefined;
    const role = roleOfPerson(request.headersDistinct, model.headerPrefix) ?? defaultRole;
    return { ...personCaller(who.user, role, model), expiresAt: who.expiresAt };
  };
}

// Else the answer would be about the admin secret, which such a person never had.
function sessionIsOver(): CallerError {
  return new CallerError('access-denied', 'the session is over; sign in again');
}

const codes: Readonly<Record<string, CallerErrorCode>> = {
  'invalid-token': 'invalid-jwt',
  'unknown-user': 'invalid-jwt',
  'cross-site': 'access-denied',
};

async function whoAsks(
  request: Request,
  services: SignedInServices,
): Promise<SignedIn | undefined> {
  try {
    const who = await findSignedIn(request, services);
    // Links too, which any page may have a browser follow with the cookie.
    if (who?.by.kind === 'session') refuseCrossSite(request, services.origins);
    return who;
  } catch (error) {
    const code = error instanceof Refusal ? codes[error.problem.code] : undefined;
    throw code === undefined ? error : new CallerError(code, (error as Refusal).problem.detail);
  }
}
