import type { Request } from 'express';
import type pg from 'pg';
import type pino from 'pino';
import type { Model, VariableName } from '../../../../permissions/index.ts';
import {
  type Authenticator,
  CallerError,
  refuseVariables,
  requestedRole,
  roleNotAllowed,
} from '../../../caller/authenticate.ts';
import { orUnavailable } from '../../../http/answers/unavailable.ts';
import { findSdkToken, type SdkTokenHolder } from './find-sdk-token.ts';
import { looksLikeSdkToken, sdkKinds, sdkTokenDigest } from './sdk-token.ts';

/**
 * For the data API: lets SDKs in by their tokens, each in the role of its kind, for the person and the organization that
 * the token was issued for. Goes before what takes other Bearer tokens.
 */
export function sdkTokenAuthenticator(pool: pg.Pool, logger: pino.Logger): Authenticator {
  return async (request, { headerPrefix, roles, variables }) => {
    const token = sdkTokenOf(request);
    if (token === undefined) return undefined;
    const digest = sdkTokenDigest(token);
    const holder = digest && (await orUnavailable(findSdkToken(pool, digest), logger));
    if (!holder) throw new CallerError('invalid-jwt', 'the token does not count here');
    const { headersDistinct } = request;
    refuseVariables(headersDistinct, headerPrefix);
    const name = sdkKinds[holder.kind].role;
    const role = roles.get(name);
    if (!role || (requestedRole(headersDistinct, headerPrefix) ?? name) !== name) {
      throw roleNotAllowed();
    }
    const { expiresAt, userId } = holder;
    const identity = `${holder.kind} of ${userId}`;
    return {
      role,
      identity,
      variables: variablesOf(holder, variables),
      isBackend: false,
      expiresAt,
    };
  };
}

/** undefined where no such token is brought. @throws CallerError where one is brought beside something else */
function sdkTokenOf({ headersDistinct }: Request): string | undefined {
  const headers = headersDistinct.authorization ?? [];
  const token = headers
    .map((header) => /^bearer +(\S+)/i.exec(header)?.[1])
    .find((one) => one !== undefined && looksLikeSdkToken(one));
  if (token === undefined || headers.length === 1) return token;
  throw new CallerError('invalid-headers', 'header "authorization" is sent twice');
}

function variablesOf(
  { userId, organizationId }: SdkTokenHolder,
  known: Model['variables'],
): ReadonlyMap<VariableName, string> {
  const own: ReadonlyMap<string, string> = new Map([
    ['user_id', userId],
    ['organization_id', organizationId],
  ]);
  return new Map(
    known.flatMap((name) => {
      const value = own.get(name);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}
