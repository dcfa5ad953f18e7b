import type { TokenClaims } from '../signing/signing-keys.ts';
import type { User } from '../user.ts';

/** The header's `typ` of wallet tokens: they are taken for nothing else. */
export const walletTokenType = 'wallet+jwt';
export const walletTokenSeconds = 5 * 60;

/** Names of all claims of a wallet token. */
export const walletClaims = [
  'iss',
  'sub',
  'aud',
  'exp',
  'nbf',
  'iat',
  'jti',
  'scope',
  'organization_id',
] as const;

/** What a token says that lets its bearer use the person's smart account. */
export function walletClaimsOf(user: User, issuer: string, audience: string): TokenClaims {
  return {
    iss: issuer,
    sub: user.id,
    aud: audience,
    scope: 'smart-account',
    organization_id: user.organizationId,
  };
}
