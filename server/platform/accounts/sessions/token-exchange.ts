import { promisify } from 'node:util';
import type { Request, Response } from 'express';
import type { Access } from '../../../http/access.ts';
import { refuseCrossSite } from '../../../http/cross-site.ts';
import { defineEndpoint, type Endpoint } from '../../../http/endpoint.ts';
import { Refusal } from '../../../http/problem.ts';
import { orUnavailable } from '../../../http/unavailable.ts';
import type { IdentityConfig } from '../../config/identity-config.ts';
import type { VerifiedToken } from '../tokens/verify/verified-token.ts';
import type { User } from '../user.ts';
import { findHolder } from '../users/find-user.ts';
import { provisionUser } from '../users/provision-user.ts';
import { isRevoked } from '../users/revoked-tokens.ts';
import { bearerToken, verifyBearer } from './bearer-token.ts';
import { type SessionMiddleware, sessionLifetimeSeconds } from './session-middleware.ts';
import { type ExchangedSession, exchangedSession, json, personOf } from './session-schemas.ts';
import { invalidToken, unauthenticated, unknownUser } from './sign-in-refusals.ts';
import type { SignedInServices } from './signed-in-access.ts';

const userAgentLength = 200;

export interface ExchangeOptions extends SignedInServices {
  readonly sessions: SessionMiddleware;
  readonly signUp: IdentityConfig['signUp'];
  /** How often one address may ask. @throws Refusal 429 */
  readonly limit: (request: Request) => Promise<void>;
}

/** `POST /auth/token-exchange`: a session for whoever brings a token of the identity provider. */
export function tokenExchange(options: ExchangeOptions): Endpoint {
  const { limit, logger, sessions } = options;
  return defineEndpoint({
    method: 'post',
    path: '/auth/token-exchange',
    operationId: 'exchangeToken',
    tag: 'sessions',
    summary: 'begin a session with a token of the identity provider',
    description:
      'Sets the cookie of a session, which lasts twelve hours. Who signs in for the first time is brought in.',
    access: identityTokenAccess(options),
    limit,
    answers: {
      200: json('The session that has begun', exchangedSession),
      400: { description: 'The cookie goes over https alone, and the request came without' },
      403: { description: 'Somebody new who cannot be brought in, or a page of another site asks' },
    },
    handle: async ({ who: token, request }, response) => {
      refuseUnsentCookie(request, sessions);
      const user = await orUnavailable(bringIn(token, options), logger);
      const expiresAt = await beginSession(user, request, response, options);
      response.json({ user: personOf(user), expiresAt } satisfies ExchangedSession);
    },
  });
}

/** A cookie counts for nothing here; but a page of another site may not sign its visitors in as somebody else. */
function identityTokenAccess(services: SignedInServices): Access<VerifiedToken> {
  return {
    schemes: ['identityToken'],
    admit: async (request) => {
      refuseCrossSite(request, services.origins);
      const token = bearerToken(request);
      if (token === undefined) throw unauthenticated();
      return verifyBearer(request, token, services);
    },
  };
}

async function bringIn(
  token: VerifiedToken,
  { pool, signUp }: Pick<ExchangeOptions, 'pool' | 'signUp'>,
): Promise<User> {
  let holder = await findHolder(pool, token.subject, token.issuedAt, token.digest);
  if (!holder) {
    // Nobody comes in by a token that was given up.
    if (await isRevoked(pool, token)) throw givenUp();
    await provisionUser(pool, token, signUp);
    holder = await findHolder(pool, token.subject, token.issuedAt, token.digest);
  }
  if (!holder) throw unknownUser();
  if (holder.tokenIsRevoked) throw givenUp();
  return holder.user;
}

const givenUp = () => invalidToken('the token does not count here');

/** @returns when the session ends */
async function beginSession(
  user: User,
  request: Request,
  response: Response,
  { sessions, logger }: ExchangeOptions,
): Promise<string> {
  // The old id is forgotten: whoever has planted it in the browser has nothing.
  await sessions.renew(request, response);
  const { session } = request;
  const now = Date.now();
  const expiresAt = new Date(now + sessionLifetimeSeconds * 1000).toISOString();
  session.userId = user.id;
  session.createdAt = new Date(now).toISOString();
  session.expiresAt = expiresAt;
  session.userAgent = (request.get('user-agent') ?? '').slice(0, userAgentLength);
  // Before the answer: left to its end, a failure would come after the cookie has gone out.
  await orUnavailable(promisify(session.save.bind(session))(), logger);
  // Nothing changes it any more: saved at the answer's end too, it would come back if it has ended in between.
  session.save = (saved) => {
    saved?.(undefined);
    return session;
  };
  return expiresAt;
}

/** A cookie for https alone is not sent over anything else, and its session would be lost in silence. */
function refuseUnsentCookie(request: Request, { secure }: SessionMiddleware): void {
  if (!secure || request.secure) return;
  throw new Refusal({
    status: 400,
    code: 'https-required',
    detail:
      'the cookie of a session goes over https alone, and this request came without; where a proxy ends https, ' +
      'ROWGATE_TRUST_PROXY must name it and it must send X-Forwarded-Proto',
  });
}
