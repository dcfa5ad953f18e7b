import {
  type Authenticator,
  CallerError,
  type CallerErrorCode,
} from '../../../caller/authenticate.ts';
import type { CallerRequest } from '../../../caller/caller-request.ts';
import { Refusal } from '../../../http/answers/problem.ts';
import { refuseCrossSite } from '../../../http/security/cross-site.ts';
import { personCaller, roleOfPerson } from '../person-caller.ts';
import type { SessionMiddleware } from '../sessions/session-middleware.ts';
import {
  findSignedIn,
  type SignedIn,
  type SignedInServices,
} from '../sessions/signed-in-access.ts';

/** The role of requests that do not name one. */
const defaultRole = 'user';

export interface PersonOptions extends SignedInServices {
  readonly sessions: SessionMiddleware;
  /** Whether callers who are not signed in may use the data API. */
  readonly allowsUnauthenticated: boolean;
}

/**
 * Makes the authenticator of people for the data API, by session or Bearer token. A person acts in one of the person's
 * own roles, and the server sets the session variables. A cookie of an ended session counts as no cookie when
 * unauthenticated callers are allowed.
 */
export function personAuthenticator(options: PersonOptions): Authenticator {
  return async (request, model) => {
    const who = await findPerson(request, options);
    if (!who && options.sessions.hasCookie(request) && !options.allowsUnauthenticated)
      throw sessionIsOver();
    if (!who) return undefined;
    const role = roleOfPerson(request.headersDistinct, model.headerPrefix) ?? defaultRole;
    return { ...personCaller(who.user, role, model), expiresAt: who.expiresAt };
  };
}

// A cookie of an ended session gets a separate error. The usual error would mention the admin secret, which people do
// not have.
function sessionIsOver(): CallerError {
  return new CallerError('access-denied', 'the session is over; sign in again');
}

const codes: Readonly<Record<string, CallerErrorCode>> = {
  'invalid-token': 'invalid-jwt',
  'unknown-user': 'invalid-jwt',
  'cross-site': 'access-denied',
};

async function findPerson(
  request: CallerRequest,
  services: SignedInServices,
): Promise<SignedIn | undefined> {
  try {
    const who = await findSignedIn(request, services);
    // Refuses requests from pages of other sites, including GET requests, because any page can make a browser send one
    // with the cookie.
    if (who?.by.kind === 'session') refuseCrossSite(request, services.origins);
    return who;
  } catch (error) {
    const code = error instanceof Refusal ? codes[error.problem.code] : undefined;
    throw code === undefined ? error : new CallerError(code, (error as Refusal).problem.detail);
  }
}
