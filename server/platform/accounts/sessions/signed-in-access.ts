import type { Request } from 'express';
import type pg from 'pg';
import type { Access } from '../../../http/access.ts';
import { refuseCrossSite } from '../../../http/cross-site.ts';
import { orUnavailable } from '../../../http/unavailable.ts';
import type { VerifiedToken } from '../tokens/verify/verified-token.ts';
import type { SignedInUser } from '../user.ts';
import { findHolder } from '../users/find-user.ts';
import { bearerToken, type TokenCheck, verifyBearer } from './bearer-token.ts';
import { endSession, sessionOf } from './session-data.ts';
import { invalidToken, unauthenticated, unknownUser } from './sign-in-refusals.ts';

/** A person who has signed in, and how. */
export interface SignedIn extends SignedInUser {
  /** When the session or the token ends. */
  readonly expiresAt: Date;
  readonly by:
    | { readonly kind: 'session' }
    | { readonly kind: 'bearer'; readonly token: VerifiedToken };
}

export interface SignedInServices extends TokenCheck {
  readonly pool: pg.Pool;
  /** Whose pages may use the cookie to change something; our own among them. */
  readonly origins: ReadonlySet<string>;
}

/** For people: by the cookie of a session, or a Bearer token. */
export function makeSignedInAccess(services: SignedInServices): Access<SignedIn> {
  return {
    schemes: ['session', 'bearer'],
    admit: async (request) => {
      const who = await findSignedIn(request, services);
      if (who) return who;
      throw unauthenticated();
    },
  };
}

/**
 * Who has signed in; undefined where a request brings neither a token nor the cookie of a session that goes on. A
 * header Authorization decides alone: a wrong one is not put right by a cookie.
 * @throws Refusal
 */
export async function findSignedIn(
  request: Request,
  services: SignedInServices,
): Promise<SignedIn | undefined> {
  const token = bearerToken(request);
  return token === undefined
    ? bySession(request, services)
    : byToken(await verifyBearer(request, token, services), services);
}

async function bySession(
  request: Request,
  { origins, logger }: SignedInServices,
): Promise<SignedIn | undefined> {
  const session = sessionOf(request);
  if (!session) return undefined;
  if (!['GET', 'HEAD', 'OPTIONS'].includes(request.method)) refuseCrossSite(request, origins);
  const user = session.person?.();
  if (user) return { user, expiresAt: new Date(session.expiresAt), by: { kind: 'session' } };
  await orUnavailable(endSession(request), logger);
  throw unknownUser();
}

async function byToken(
  token: VerifiedToken,
  { pool, logger }: SignedInServices,
): Promise<SignedIn> {
  const holder = await orUnavailable(
    findHolder(pool, token.subject, token.issuedAt, token.digest),
    logger,
  );
  if (!holder) throw unknownUser();
  if (holder.tokenIsRevoked) throw invalidToken('the token does not count here');
  return { user: holder.user, expiresAt: token.expiresAt, by: { kind: 'bearer', token } };
}
