import { orUnavailable } from '../../../http/answers/unavailable.ts';
import type { Access } from '../../../http/endpoint/access.ts';
import { defineEndpoint, type Endpoint } from '../../../http/endpoint/define-endpoint.ts';
import { sessionsTag } from '../../api-tags.ts';
import { revokeToken } from '../users/revoked-tokens.ts';
import { endSession } from './session-data.ts';
import type { SessionMiddleware } from './session-middleware.ts';
import {
  type DestroyedSession,
  destroyedSession,
  json,
  personOf,
  type Session,
  session,
} from './session-schemas.ts';
import type { SignedIn, SignedInServices } from './signed-in-access.ts';

/** Makes `GET /auth/session`, which returns the signed-in person. */
export function readSession(access: Access<SignedIn>): Endpoint {
  return defineEndpoint({
    method: 'get',
    path: '/auth/session',
    operationId: 'readSession',
    tag: sessionsTag,
    summary: 'get the signed-in person and the end of the session',
    access,
    answers: { 200: json('The person and the end of the session or token', session) },
    handle: ({ who: { user, expiresAt } }, response) => {
      response.json({
        user: { ...personOf(user), organizationId: user.organizationId },
        expiresAt: expiresAt.toISOString(),
      } satisfies Session);
    },
  });
}

export interface DestroyOptions extends Pick<SignedInServices, 'pool' | 'logger'> {
  readonly access: Access<SignedIn>;
  readonly sessions: SessionMiddleware;
  /** Ends the open subscriptions of a person after a session or token was ended. */
  readonly accessEnded: (person: string | undefined) => void;
}

/** Makes `DELETE /auth/session`, which ends the session, or revokes the token of the request. */
export function destroySession(options: DestroyOptions): Endpoint {
  const { access, sessions, pool, logger, accessEnded } = options;
  return defineEndpoint({
    method: 'delete',
    path: '/auth/session',
    operationId: 'destroySession',
    tag: sessionsTag,
    summary: 'end the session',
    description: 'With a Bearer token: revokes the token.',
    access,
    answers: { 200: json('The session has ended', destroyedSession) },
    handle: async ({ who: { by, user }, request }, response) => {
      if (by.kind === 'bearer') {
        await orUnavailable(revokeToken(pool, by.token), logger);
      } else {
        await orUnavailable(endSession(request), logger);
        sessions.clearCookie(response);
      }
      accessEnded(user.id);
      response.json({
        message: 'the session has ended',
        success: true,
      } satisfies DestroyedSession);
    },
  });
}
