import type { JsonObject } from '../../../../caller/jwt/json-object.ts';
import { TokenError } from '../../../../caller/jwt/token-error.ts';

/** The tolerated difference between the clocks of two machines, in seconds. */
export const clockLeeway = 30;

/** The claims that a token must have to be accepted. */
export interface Expectations {
  /** The exact value of `iss`. */
  readonly issuer: string;
  /** The accepted audiences. The token must name at least one of them. */
  readonly audiences: readonly string[];
  /** The accepted values of the header's `typ`, in lower case; undefined: the header may lack it. */
  readonly types: readonly (string | undefined)[];
}

/** The claims that every accepted token has. */
export interface CheckedClaims {
  readonly subject: string;
  /** Seconds since 1970. */
  readonly issuedAt: number;
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

/**
 * Checks the type, the claims and the times of a token whose signature was verified. All kinds of tokens use this check.
 * @param now the current time in seconds since 1970
 * @throws TokenError
 */
export function checkClaims(
  { type, claims }: { readonly type: string | undefined; readonly claims: JsonObject },
  expected: Expectations,
  now: number,
): CheckedClaims {
  const { iss, aud, sub, exp, iat, nbf } = claims;
  if (!expected.types.includes(type)) throw new TokenError('type');
  if (iss !== expected.issuer) throw new TokenError('issuer');
  const audiences: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  if (!expected.audiences.some((one) => audiences.includes(one))) throw new TokenError('audience');
  if (!isSubject(sub)) throw new TokenError('no-subject');
  if (!isTime(exp) || !isTime(iat) || !(nbf === undefined || isTime(nbf))) {
    throw new TokenError('times');
  }
  if (hasExpired(exp, now)) throw new TokenError('expired');
  if (Math.max(iat, nbf ?? iat) > now + clockLeeway) throw new TokenError('not-yet-valid');
  return { subject: sub, issuedAt: iat, expiresAt: exp };
}

/** Returns whether a token has expired, with the tolerance for clocks. Both times are seconds since 1970. */
export function hasExpired(expiresAt: number, now: number): boolean {
  return expiresAt + clockLeeway <= now;
}

function isSubject(sub: unknown): sub is string {
  return typeof sub === 'string' && sub.isWellFormed() && /^\P{Cc}{1,255}$/u.test(sub);
}

/** Returns true for a time that a Date can represent. */
function isTime(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 8.64e12;
}
