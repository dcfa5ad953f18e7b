import type { JsonObject } from './json-object.ts';
import type { VerifiedToken } from './verified-token.ts';

const longestEmail = 254;
const longestName = 200;

/** What a token tells about its person, as far as it can be used. */
export function readProfile(
  claims: JsonObject,
  emailClaim: string,
): Pick<VerifiedToken, 'email' | 'emailIsVerified' | 'name'> {
  const email = readEmail(claimOf(claims, emailClaim));
  // Of this very claim: another one's says nothing about an address that people may choose. Some write the word.
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

/** As the database checks it. */
function readEmail(given: unknown): string | undefined {
  if (typeof given !== 'string' || given.length > longestEmail) return undefined;
  if (!given.isWellFormed()) return undefined;
  return /^[^@\s\p{Cc}]+@[^@\s\p{Cc}]+$/u.test(given) ? given : undefined;
}

function readName(given: unknown): string | undefined {
  if (typeof given !== 'string' || /\p{Cc}/u.test(given)) return undefined;
  return given.trim().slice(0, longestName).toWellFormed() || undefined;
}
