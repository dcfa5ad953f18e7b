import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type pino from 'pino';
import type { Model } from '../../../permissions/index.ts';
import type { JwtConfig, TokenLocation } from '../../config/authentication/jwt-config.ts';
import {
  type Authenticator,
  type Caller,
  CallerError,
  CallerOutage,
  lookUpClaimedRole,
  refuseVariables,
  requestedRole,
  variablesOf,
} from '../authenticate.ts';
import type { CallerRequest } from '../caller-request.ts';
import { refuseForeignCookie } from '../cross-site.ts';
import type { WrongSecrets } from '../wrong-secrets.ts';
import { openKeys } from './keys/open-keys.ts';
import { type RoleClaims, readRoleClaims } from './read-claims.ts';
import { TokenError, type TokenReason } from './token-error.ts';
import { missingToken, readTokenAt } from './token-location.ts';
import { type OpenIssuer, type VerifiedJwt, verifyJwt } from './verify-jwt.ts';

export interface JwtServices {
  /** Counts tokens that no configured key has signed. */
  readonly wrongSecrets: WrongSecrets;
  /** The origins whose pages may call with a token in a cookie. */
  readonly origins: ReadonlySet<string>;
  readonly logger: pino.Logger;
}

/** Identifies callers by tokens of the configured issuers. */
export interface JwtAuthentication {
  readonly authenticator: Authenticator;
  /** Refuses every request. It comes last, where requests without any credential are refused. */
  readonly refuseMissing: Authenticator;
  close(): Promise<void>;
}

/** @throws ProcessError RG_CONFIG when the keys of an issuer cannot be found safely */
export async function openJwt(
  configs: readonly JwtConfig[],
  services: JwtServices,
): Promise<JwtAuthentication> {
  const { logger } = services;
  const issuers: OpenIssuer[] = [];
  for (const config of configs) {
    issuers.push({ config, keys: await openKeys(config.keys, logger) });
    if (config.keys.kind === 'set' && !config.audiences && config.issuer === undefined) {
      logger.warn(
        'a JWT entry has a jwk_url and neither audience nor issuer: it accepts tokens for other services of that issuer',
      );
    }
  }
  const places = placesOf(issuers);
  return {
    authenticator: (request, model) => identifyByToken(request, model, places, services),
    refuseMissing: () => {
      throw missingToken(configs.map(({ location }) => location));
    },
    close: async () => {
      for (const { keys } of issuers) keys.close();
    },
  };
}

/** A place in requests where a token may be, and the issuers whose tokens are expected there. */
interface TokenPlace {
  readonly location: TokenLocation;
  readonly issuers: readonly OpenIssuer[];
}

/** Returns each place once, in the order in which the configuration first names it. */
function placesOf(issuers: readonly OpenIssuer[]): readonly TokenPlace[] {
  const locations = issuers.map(({ config }) => config.location);
  return locations
    .filter((one, index) => locations.findIndex((other) => isDeepStrictEqual(one, other)) === index)
    .map((location) => ({
      location,
      issuers: issuers.filter(({ config }) => isDeepStrictEqual(config.location, location)),
    }));
}

async function identifyByToken(
  request: CallerRequest,
  model: Model,
  places: readonly TokenPlace[],
  services: JwtServices,
): Promise<Caller | undefined> {
  const { headersDistinct: headers } = request;
  for (const { location, issuers } of places) {
    const token = readTokenAt(location, headers);
    if (token === undefined) continue;
    if (location.kind === 'cookie') refuseForeignCookie(request, services.origins);
    // The first place with a token decides: either its token is valid, or the request is refused.
    const verified = await verify(token, issuers, request, services);
    const claims = readRoleClaims(verified.claims, verified.config.claims);
    refuseVariables(headers, model.headerPrefix);
    const role = requestedRole(headers, model.headerPrefix) ?? claims.defaultRole;
    return callerOf(verified, claims, role, model);
  }
  return undefined;
}

function callerOf(
  { claims: token, expiresAt }: VerifiedJwt,
  claims: RoleClaims,
  role: string,
  model: Model,
): Caller {
  if (!claims.allowedRoles.includes(role)) {
    throw new CallerError('access-denied', 'Your requested role is not in allowed roles');
  }
  return {
    role: lookUpClaimedRole(role, model),
    identity: identityOf(token, claims),
    ...variablesOf(claims.others, claims.prefix, model),
    isBackend: false,
    ...(expiresAt && { expiresAt }),
  };
}

/** Identifies the subject of an issuer. Tokens without `sub` are distinguished by their session variables. */
function identityOf({ iss, sub }: VerifiedJwt['claims'], { others }: RoleClaims): string {
  const subject = typeof sub === 'string' ? [sub] : [...others].toSorted();
  const digest = createHash('sha256')
    .update(JSON.stringify([iss, subject]))
    .digest('base64');
  return `jwt ${digest}`;
}

async function verify(
  token: string,
  issuers: readonly OpenIssuer[],
  request: CallerRequest,
  { wrongSecrets, logger }: JwtServices,
): Promise<VerifiedJwt> {
  try {
    return await verifyJwt(token, issuers);
  } catch (error) {
    if (!(error instanceof TokenError)) throw error;
    const { reason } = error;
    logger.info({ reason, requestId: request.requestId }, 'a token was refused');
    if (reason === 'provider-unreachable') {
      throw new CallerOutage('the keys that verify tokens cannot be fetched at the moment');
    }
    // Expired tokens do not count as wrong, because applications of many people behind one address send them.
    if (!timeReasons.has(reason)) await wrongSecrets.count(request);
    throw new CallerError('invalid-jwt', `Could not verify JWT: ${hasuraName(reason)}`);
  }
}

/** Refusals because of the time. They come only after the signature was verified, so the token is genuine. */
const timeReasons: ReadonlySet<TokenReason> = new Set(['expired', 'not-yet-valid', 'issued-later']);

const hasuraNames: Partial<Readonly<Record<TokenReason, string>>> = {
  expired: 'JWTExpired',
  'not-yet-valid': 'JWTNotYetValid',
  'issued-later': 'JWTIssuedAtFuture',
  issuer: 'JWTNotInIssuer',
  audience: 'JWTNotInAudience',
  times: 'JWTClaimsSetDecodeError "a time is not a number"',
  malformed: 'JWSError (CompactDecodeError "the token is malformed")',
  'too-long': 'JWSError (CompactDecodeError "the token is too long")',
  'forbidden-header': 'JWSError (CompactDecodeError "the header brings a key or an extension")',
  'unknown-key': 'JWSError NoUsableKeys',
};

function hasuraName(reason: TokenReason): string {
  return hasuraNames[reason] ?? 'JWSError JWSInvalidSignature';
}
