import type { JsonObject } from '../../../../caller/jwt/json-object.ts';
import type { VerifiedToken } from './verified-token.ts';

const maxEmailLength = 254;
const maxNameLength = 200;

/** Reads the valid claims about the person of a token. */
export function readProfile(
  claims: JsonObject,
  emailClaim: string,
): Pick<VerifiedToken, 'email' | 'emailIsVerified' | 'name'> {
  const email = readEmail(claimOf(claims, emailClaim));
  // When the address comes from a claim `x`, only `x_verified` counts: `email_verified` describes another address, and
  // people may be able to choose `x` freely. Some providers send the text "true".
  const verified = claimOf(claims, `${emailClaim}_verified`);
  return {
    email,
    emailIsVerified: email !== undefined && (verified === true || verified === 'true'),
    name: readName(claims.name),
  };
}

function claimOf(claims: JsonObject, name: string): unknown {
  return Object.hasOwn(claims, name) ? claims[name] : undefined;
}

/** Accepts the same addresses as the database. */
function readEmail(given: unknown): string | undefined {
  if (typeof given !== 'string' || given.length > maxEmailLength) return undefined;
  if (!given.isWellFormed()) return undefined;
  return /^[^@\s\p{Cc}]+@[^@\s\p{Cc}]+$/u.test(given) ? given : undefined;
}

function readName(given: unknown): string | undefined {
  if (typeof given !== 'string' || /\p{Cc}/u.test(given)) return undefined;
  return given.trim().slice(0, maxNameLength).toWellFormed() || undefined;
}
