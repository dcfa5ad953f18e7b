import { promisify } from 'node:util';
import type { Request, Response } from 'express';
import { Refusal } from '../../../http/answers/problem.ts';
import { orUnavailable } from '../../../http/answers/unavailable.ts';
import type { Access } from '../../../http/endpoint/access.ts';
import { defineEndpoint, type Endpoint } from '../../../http/endpoint/define-endpoint.ts';
import { refuseCrossSite } from '../../../http/security/cross-site.ts';
import { sessionsTag } from '../../api-tags.ts';
import type { IdentityConfig } from '../../config/identity-config.ts';
import { identityTokenScheme } from '../security-schemes.ts';
import type { VerifiedToken } from '../tokens/verify/verified-token.ts';
import type { User } from '../user.ts';
import { findUserWithToken } from '../users/find-user.ts';
import { provisionUser } from '../users/provision-user.ts';
import { isRevoked } from '../users/revoked-tokens.ts';
import { bearerToken, verifyBearer } from './bearer-token.ts';
import { type SessionMiddleware, sessionLifetimeSeconds } from './session-middleware.ts';
import { type ExchangedSession, exchangedSession, json, personOf } from './session-schemas.ts';
import { invalidToken, unauthenticated, unknownUser } from './sign-in-refusals.ts';
import type { SignedInServices } from './signed-in-access.ts';

const maxUserAgentLength = 200;

export interface ExchangeOptions extends SignedInServices {
  readonly sessions: SessionMiddleware;
  readonly signUp: IdentityConfig['signUp'];
  /** Limits the rate of one network. @throws Refusal 429 */
  readonly limit: (request: Request) => Promise<void>;
}

/** Makes `POST /auth/token-exchange`, which begins a session for the person of an identity provider's token. */
export function tokenExchange(options: ExchangeOptions): Endpoint {
  const { limit, logger, sessions } = options;
  return defineEndpoint({
    method: 'post',
    path: '/auth/token-exchange',
    operationId: 'exchangeToken',
    tag: sessionsTag,
    summary: 'begin a session with a token of the identity provider',
    description:
      'Sets the cookie of a session, which lasts twelve hours. Creates the user at the first sign-in.',
    access: identityTokenAccess(options),
    limit,
    answers: {
      200: json('The session that has begun', exchangedSession),
      400: { description: 'The cookie requires https, and the request did not use it' },
      403: {
        description: 'A new person may not sign up, or a page of another site sent the request',
      },
    },
    handle: async ({ who: token, request }, response) => {
      refuseUnsentCookie(request, sessions);
      const user = await orUnavailable(findOrProvision(token, options), logger);
      const expiresAt = await beginSession(user, request, response, options);
      response.json({ user: personOf(user), expiresAt } satisfies ExchangedSession);
    },
  });
}

/**
 * Makes the access check for a token of the identity provider. Cookies are ignored. Requests from pages of other sites
 * are refused nevertheless, because such a page could sign its visitors in as another person.
 */
function identityTokenAccess(services: SignedInServices): Access<VerifiedToken> {
  return {
    schemes: [identityTokenScheme],
    admit: async (request) => {
      refuseCrossSite(request, services.origins);
      const token = bearerToken(request);
      if (token === undefined) throw unauthenticated();
      return verifyBearer(request, token, services);
    },
  };
}

async function findOrProvision(
  token: VerifiedToken,
  { pool, signUp }: Pick<ExchangeOptions, 'pool' | 'signUp'>,
): Promise<User> {
  let found = await findUserWithToken(pool, token.subject, token.issuedAt, token.digest);
  if (!found) {
    // Checked before the user is created, because a request with a revoked token must not create a user.
    if (await isRevoked(pool, token)) throw revokedToken();
    await provisionUser(pool, token, signUp);
    found = await findUserWithToken(pool, token.subject, token.issuedAt, token.digest);
  }
  if (!found) throw unknownUser();
  if (found.tokenIsRevoked) throw revokedToken();
  return found.user;
}

const revokedToken = () => invalidToken('the token is not valid here');

/** Begins a session and returns its end in ISO 8601. */
async function beginSession(
  user: User,
  request: Request,
  response: Response,
  { sessions, logger }: ExchangeOptions,
): Promise<string> {
  // A new session id, because an attacker may have set the old one in the browser (session fixation).
  await sessions.renew(request, response);
  const { session } = request;
  const now = Date.now();
  const expiresAt = new Date(now + sessionLifetimeSeconds * 1000).toISOString();
  session.userId = user.id;
  session.createdAt = new Date(now).toISOString();
  session.expiresAt = expiresAt;
  session.userAgent = (request.get('user-agent') ?? '').slice(0, maxUserAgentLength);
  // Saved before the answer begins. The library would save at the end of the answer, when the client may already have
  // received the cookie of an unsaved session.
  await orUnavailable(promisify(session.save.bind(session))(), logger);
  // Prevents a second save at the end of the answer, which would restore a session that has ended in the meantime.
  session.save = (saved) => {
    saved?.(undefined);
    return session;
  };
  return expiresAt;
}

/** Refuses requests without https when the cookie requires it, because browsers would silently drop the cookie. */
function refuseUnsentCookie(request: Request, { secure }: SessionMiddleware): void {
  if (!secure || request.secure) return;
  throw new Refusal({
    status: 400,
    code: 'https-required',
    detail:
      'the session cookie requires https, and this request did not use it; when a proxy ends https, ' +
      'ROWGATE_TRUST_PROXY must name the proxy and the proxy must send X-Forwarded-Proto',
  });
}
