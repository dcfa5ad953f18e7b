import type { Request, Response } from 'express';
import { Type } from 'typebox';
import { everybody } from '../../../http/access.ts';
import { refuseCrossSite } from '../../../http/cross-site.ts';
import { defineEndpoint, type Endpoint } from '../../../http/endpoint.ts';
import { Refusal } from '../../../http/problem.ts';
import { orUnavailable } from '../../../http/unavailable.ts';
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
        'Where to go afterwards: a path of this service, or a URL of an origin that may call it',
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
  /** Our own root. */
  readonly baseUrl: string;
  readonly provider: LogoutProvider | undefined;
}

/** `GET /auth/logout`: ends session and token, and leads on to the identity provider. */
export function logout(options: LogoutOptions): Endpoint {
  const { baseUrl, origins, provider } = options;
  return defineEndpoint({
    method: 'get',
    path: '/auth/logout',
    operationId: 'logout',
    tag: 'sessions',
    summary: 'end the session and go to the logout of the identity provider',
    description:
      'Ends the session of the cookie and the use of the Bearer token, whichever the request brings; it may bring neither.',
    access: everybody,
    query,
    answers: {
      200: json('For the client type api', loggedOut),
      302: {
        description: 'For browsers: to the identity provider, or to returnTo where there is none',
        headers: { Location: 'Where to go' },
      },
      403: { description: 'A page of another site asks with the cookie of a session' },
    },
    handle: async ({ query: asked, request }, response) => {
      const returnTo =
        asked.returnTo === undefined ? undefined : parseReturnTo(asked.returnTo, baseUrl, origins);
      await endBoth(request, response, options);
      const home = returnTo ?? new URL('/', baseUrl).href;
      const logoutUrl = (provider && (await providerLogoutUrl(provider, returnTo))) ?? home;
      if (asked['x-client-type'] === 'api') {
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
  if (sessions.isBrought(request)) {
    refuseForeign(request, options.origins);
    await orUnavailable(endSession(request), logger);
    sessions.clearCookie(response);
  }
  if (token) await orUnavailable(revokeToken(pool, token), logger);
}

/** A token that does not count has nothing to end. @throws Refusal 503 where that cannot be told */
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

/** A link on another site may lead here; an image or a frame there may not log its visitors out. */
function refuseForeign(request: Request, origins: ReadonlySet<string>): void {
  const isNavigation =
    request.get('sec-fetch-mode') === 'navigate' && request.get('sec-fetch-dest') === 'document';
  if (!isNavigation) refuseCrossSite(request, origins);
}
