import type { Request, Response } from 'express';
import { Type } from 'typebox';
import { Refusal } from '../../../http/answers/problem.ts';
import { orUnavailable } from '../../../http/answers/unavailable.ts';
import { publicAccess } from '../../../http/endpoint/access.ts';
import { defineEndpoint, type Endpoint } from '../../../http/endpoint/define-endpoint.ts';
import { refuseCrossSite } from '../../../http/security/cross-site.ts';
import { sessionsTag } from '../../api-tags.ts';
import type { VerifiedToken } from '../tokens/verify/verified-token.ts';
import { revokeToken } from '../users/revoked-tokens.ts';
import { bearerToken, verifyBearer } from './bearer-token.ts';
import { type LogoutProvider, providerLogoutUrl } from './provider-logout.ts';
import { parseReturnTo } from './return-to.ts';
import { endSession } from './session-data.ts';
import type { SessionMiddleware } from './session-middleware.ts';
import { json, type LoggedOut, loggedOut } from './session-schemas.ts';
import type { SignedInServices } from './signed-in-access.ts';

const query = Type.Object({
  returnTo: Type.Optional(
    Type.String({
      maxLength: 2000,
      description:
        'The page to go to afterwards: a path of this service, or a URL of an allowed origin',
    }),
  ),
  'x-client-type': Type.Optional(
    Type.Enum(['browser', 'api'], {
      description: '`browser` (default): redirects; `api`: answers with the URL',
    }),
  ),
});

export interface LogoutOptions extends SignedInServices {
  readonly sessions: SessionMiddleware;
  /** The root URL of this server. */
  readonly baseUrl: string;
  readonly provider: LogoutProvider | undefined;
  /** Ends the open subscriptions of a person after a session or token was ended. */
  readonly accessEnded: (person: string | undefined) => void;
}

/** Makes `GET /auth/logout`, which ends the session, revokes the token and redirects to the identity provider. */
export function logout(options: LogoutOptions): Endpoint {
  const { baseUrl, origins, provider } = options;
  return defineEndpoint({
    method: 'get',
    path: '/auth/logout',
    operationId: 'logout',
    tag: sessionsTag,
    summary: 'end the session and go to the logout of the identity provider',
    description:
      'Ends the session of the cookie and revokes the Bearer token, as far as the request has them.',
    access: publicAccess,
    query,
    answers: {
      200: json('For the client type api', loggedOut),
      302: {
        description: 'For browsers: to the identity provider, or to returnTo without a provider',
        headers: { Location: 'The URL of the next page' },
      },
      403: { description: 'A page of another site sent the request with a session cookie' },
    },
    handle: async ({ query: { returnTo: target, 'x-client-type': client }, request }, response) => {
      const returnTo = target === undefined ? undefined : parseReturnTo(target, baseUrl, origins);
      await endBoth(request, response, options);
      const home = returnTo ?? new URL('/', baseUrl).href;
      const logoutUrl = (provider && (await providerLogoutUrl(provider, returnTo))) ?? home;
      if (client === 'api') {
        const message = 'logged out; the session at the identity provider ends at logoutUrl';
        response.json({ message, success: true, logoutUrl } satisfies LoggedOut);
      } else {
        response.redirect(302, logoutUrl);
      }
    },
  });
}

async function endBoth(
  request: Request,
  response: Response,
  options: LogoutOptions,
): Promise<void> {
  const { pool, logger, sessions } = options;
  const token = await validToken(request, options);
  if (sessions.hasCookie(request)) {
    refuseForeign(request, options.origins);
    const person = request.session?.userId;
    await orUnavailable(endSession(request), logger);
    sessions.clearCookie(response);
    options.accessEnded(person);
  }
  if (token) {
    await orUnavailable(revokeToken(pool, token), logger);
    options.accessEnded(undefined);
  }
}

/**
 * Returns the token of the request if it is valid. An invalid token needs no revocation.
 * @throws Refusal 503 when it cannot be verified
 */
async function validToken(
  request: Request,
  options: LogoutOptions,
): Promise<VerifiedToken | undefined> {
  try {
    const token = bearerToken(request);
    return token === undefined ? undefined : await verifyBearer(request, token, options);
  } catch (error) {
    if (error instanceof Refusal && error.problem.status === 401) return undefined;
    throw error;
  }
}

/** Refuses requests of other sites except navigation: a link may log a person out, but an image or a frame may not. */
function refuseForeign(request: Request, origins: ReadonlySet<string>): void {
  const isNavigation =
    request.get('sec-fetch-mode') === 'navigate' && request.get('sec-fetch-dest') === 'document';
  if (!isNavigation) refuseCrossSite(request, origins);
}
