import type pg from 'pg';
import type { CallerRequest } from '../../../caller/caller-request.ts';
import { orUnavailable } from '../../../http/answers/unavailable.ts';
import type { Access } from '../../../http/endpoint/access.ts';
import { refuseCrossSite } from '../../../http/security/cross-site.ts';
import { bearerScheme, sessionScheme } from '../security-schemes.ts';
import type { VerifiedToken } from '../tokens/verify/verified-token.ts';
import type { SignedInUser } from '../user.ts';
import { findUserWithToken } from '../users/find-user.ts';
import { bearerToken, type TokenCheck, verifyBearer } from './bearer-token.ts';
import { endSession, sessionOf } from './session-data.ts';
import { invalidToken, unauthenticated, unknownUser } from './sign-in-refusals.ts';

/** A signed-in person with the credential that the request has used. */
export interface SignedIn extends SignedInUser {
  /** The end of the session or token. */
  readonly expiresAt: Date;
  readonly by:
    | { readonly kind: 'session' }
    | { readonly kind: 'bearer'; readonly token: VerifiedToken };
}

export interface SignedInServices extends TokenCheck {
  readonly pool: pg.Pool;
  /** The origins, including this server's own, whose pages may change data with the session cookie. */
  readonly origins: ReadonlySet<string>;
}

/** Makes the access check for people, by session cookie or Bearer token. */
export function makeSignedInAccess(services: SignedInServices): Access<SignedIn> {
  return {
    schemes: [sessionScheme, bearerScheme],
    admit: async (request) => {
      const who = await findSignedIn(request, services);
      if (who) return who;
      throw unauthenticated();
    },
  };
}

/**
 * Finds the signed-in person; undefined when the request has neither a token nor the cookie of a current session. An
 * invalid Authorization header is refused even when the cookie is valid.
 * @throws Refusal 401, 403, 503
 */
export async function findSignedIn(
  request: CallerRequest,
  services: SignedInServices,
): Promise<SignedIn | undefined> {
  const token = bearerToken(request);
  return token === undefined
    ? bySession(request, services)
    : byToken(await verifyBearer(request, token, services), services);
}

async function bySession(
  request: CallerRequest,
  { origins, logger }: SignedInServices,
): Promise<SignedIn | undefined> {
  const session = sessionOf(request);
  if (!session) return undefined;
  if (!['GET', 'HEAD', 'OPTIONS'].includes(request.method ?? '')) refuseCrossSite(request, origins);
  const user = session.person?.();
  if (user) return { user, expiresAt: new Date(session.expiresAt), by: { kind: 'session' } };
  await orUnavailable(endSession(request), logger);
  throw unknownUser();
}

async function byToken(
  token: VerifiedToken,
  { pool, logger }: SignedInServices,
): Promise<SignedIn> {
  const found = await orUnavailable(
    findUserWithToken(pool, token.subject, token.issuedAt, token.digest),
    logger,
  );
  if (!found) throw unknownUser();
  if (found.tokenIsRevoked) throw invalidToken('the token is not valid here');
  return { user: found.user, expiresAt: token.expiresAt, by: { kind: 'bearer', token } };
}
