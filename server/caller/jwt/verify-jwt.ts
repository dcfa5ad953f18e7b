import type { JwtConfig } from '../../config/authentication/jwt-config.ts';
import { type TokenAlgorithm, tokenAlgorithms } from '../../config/signature-algorithms.ts';
import type { JsonObject } from './json-object.ts';
import type { IssuerKeys } from './keys/open-keys.ts';
import { readToken, type UnverifiedToken } from './read-token.ts';
import { TokenError } from './token-error.ts';

/** A configured issuer with its keys. */
export interface OpenIssuer {
  readonly config: JwtConfig;
  readonly keys: IssuerKeys;
}

/** A token whose signature and registered claims are valid. */
export interface VerifiedJwt {
  readonly config: JwtConfig;
  readonly claims: JsonObject;
  /** Absent when the token has no `exp`. */
  readonly expiresAt: Date | undefined;
}

/**
 * Verifies a token with the configuration entries for its issuer. The first entry that accepts the token decides.
 * @throws TokenError of the entry that came closest to accepting the token
 */
export async function verifyJwt(
  token: string,
  issuers: readonly OpenIssuer[],
): Promise<VerifiedJwt> {
  const unverified = readToken(token, tokenAlgorithms);
  const { iss } = unverified.claims;
  const named = issuers.filter(
    ({ config }) => config.issuer === undefined || config.issuer === iss,
  );
  let failure = new TokenError('issuer');
  // When no entry has the token's issuer, all entries are tried, so that a wrong signature is not reported as a wrong
  // issuer.
  for (const issuer of named.length > 0 ? named : issuers) {
    try {
      return await verifyWith(token, unverified, issuer);
    } catch (error) {
      if (!(error instanceof TokenError)) throw error;
      if (issuer === (named[0] ?? issuers[0]) || closeness(error) > closeness(failure)) {
        failure = error;
      }
    }
  }
  throw failure;
}

/**
 * Ranks refusals by how close the token came to acceptance: lowest when no key verified the signature, then when the
 * keys could not be fetched, and highest for an error found after the signature was verified.
 */
function closeness({ reason }: TokenError): number {
  if (['algorithm', 'unknown-key', 'signature'].includes(reason)) return 0;
  return reason === 'provider-unreachable' ? 1 : 2;
}

async function verifyWith(
  token: string,
  { kid, algorithm, claims }: UnverifiedToken<TokenAlgorithm>,
  { config, keys }: OpenIssuer,
): Promise<VerifiedJwt> {
  await verifyWithAny(token, await keys.checksFor(kid, algorithm));
  const expiresAt = checkRegisteredClaims(claims, config, Date.now() / 1000);
  return { config, claims, expiresAt };
}

async function verifyWithAny(
  token: string,
  checks: Awaited<ReturnType<IssuerKeys['checksFor']>>,
): Promise<void> {
  for (const check of checks) {
    try {
      return await check(token);
    } catch (error) {
      if (!(error instanceof TokenError)) throw error;
    }
  }
  throw new TokenError('signature');
}

/**
 * Checks the times, the issuer and the audience. A token without `iss` or `aud` is refused where the configuration
 * names one. Returns the time at which the token expires.
 * @throws TokenError
 */
function checkRegisteredClaims(
  { exp, nbf, iat, iss, aud }: JsonObject,
  { issuer, audiences, allowedSkew }: JwtConfig,
  now: number,
): Date | undefined {
  if (![exp, nbf, iat].every((time) => time === undefined || isTime(time))) {
    throw new TokenError('times');
  }
  if (isTime(exp) && exp + allowedSkew <= now) throw new TokenError('expired');
  if (isTime(nbf) && nbf > now + allowedSkew) throw new TokenError('not-yet-valid');
  // Issuers round `iat`, so it may be up to a second in the future.
  if (isTime(iat) && Math.floor(iat) > now + allowedSkew) throw new TokenError('issued-later');
  if (issuer !== undefined && iss !== issuer) throw new TokenError('issuer');
  const given: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  if (audiences && !audiences.some((one) => given.includes(one))) throw new TokenError('audience');
  return isTime(exp) ? new Date((exp + allowedSkew) * 1000) : undefined;
}

/** Returns true for a time that a Date can represent even after the tolerance is added. */
function isTime(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 8e12;
}
