import type { JsonObject } from './json-object.ts';
import { TokenError } from './token-error.ts';

/** How far the clocks of two machines may be apart, in seconds. */
export const clockLeeway = 30;

/** What a token must say to be for us. */
export interface Expectations {
  /** Exactly. */
  readonly issuer: string;
  /** The token is for at least one of them. */
  readonly audiences: readonly string[];
  /** Of the header, in lower case; undefined where it may be left out. */
  readonly types: readonly (string | undefined)[];
}

/** Claims that every token has. */
export interface CheckedClaims {
  readonly subject: string;
  /** Seconds since 1970. */
  readonly issuedAt: number;
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

/**
 * The one place that decides about the type, the claims and the times of a token with a good signature.
 * @param now seconds since 1970
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

/** Whether a time of expiry is over; both in seconds since 1970. */
export function hasExpired(expiresAt: number, now: number): boolean {
  return expiresAt + clockLeeway <= now;
}

function isSubject(sub: unknown): sub is string {
  return typeof sub === 'string' && sub.isWellFormed() && /^\P{Cc}{1,255}$/u.test(sub);
}

/** Within what a Date can hold. */
function isTime(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 8.64e12;
}
