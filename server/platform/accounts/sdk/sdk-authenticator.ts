import type pg from 'pg';
import type pino from 'pino';
import type { Model } from '../../../../permissions/index.ts';
import {
  type Authenticator,
  type Caller,
  CallerError,
  establishedVariables,
  refuseVariables,
  requestedRole,
  roleNotAllowed,
} from '../../../caller/authenticate.ts';
import type { CallerRequest } from '../../../caller/caller-request.ts';
import { orUnavailable } from '../../../http/answers/unavailable.ts';
import { findSdkToken, type SdkTokenSubject } from './find-sdk-token.ts';
import { looksLikeSdkToken, sdkKinds, sdkTokenDigest } from './sdk-token.ts';

/**
 * Makes the authenticator of SDK tokens for the data API. The caller acts in the role of the SDK, for the person and the
 * organization of the token. It must run before the authenticator of other Bearer tokens.
 */
export function sdkTokenAuthenticator(pool: pg.Pool, logger: pino.Logger): Authenticator {
  return async (request, model) => {
    const { headerPrefix, roles } = model;
    const token = sdkTokenOf(request);
    if (token === undefined) return undefined;
    const digest = sdkTokenDigest(token);
    const subject = digest && (await orUnavailable(findSdkToken(pool, digest), logger));
    if (!subject) throw new CallerError('invalid-jwt', 'the token is not valid here');
    const { headersDistinct } = request;
    refuseVariables(headersDistinct, headerPrefix);
    const name = sdkKinds[subject.kind].role;
    const role = roles.get(name);
    if (!role || (requestedRole(headersDistinct, headerPrefix) ?? name) !== name) {
      throw roleNotAllowed();
    }
    const { expiresAt, userId } = subject;
    const identity = `${subject.kind} of ${userId}`;
    return {
      role,
      identity,
      ...variablesOf(subject, model),
      isBackend: false,
      expiresAt,
    };
  };
}

/** Reads the SDK token of a request, if any. @throws CallerError when there is a second Authorization header */
function sdkTokenOf({ headersDistinct }: CallerRequest): string | undefined {
  const headers = headersDistinct.authorization ?? [];
  const token = headers
    .map((header) => /^bearer +(\S+)/i.exec(header)?.[1])
    .find((one) => one !== undefined && looksLikeSdkToken(one));
  if (token === undefined || headers.length === 1) return token;
  throw new CallerError('invalid-headers', 'header "authorization" is sent twice');
}

function variablesOf(
  { userId, organizationId }: SdkTokenSubject,
  model: Model,
): Pick<Caller, 'variables' | 'session'> {
  const own = new Map([
    ['user_id', userId],
    ['organization_id', organizationId],
  ]);
  return establishedVariables(own, model);
}
