import type { TokenClaims } from '../signing/signing-keys.ts';
import type { User } from '../user.ts';

/** The `typ` of a wallet token's header, which prevents its use as another kind of token. */
export const walletTokenType = 'wallet+jwt';
export const walletTokenSeconds = 5 * 60;

/** The names of all claims of a wallet token. */
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

/** Makes the claims of a token that gives access to the person's smart account. */
export function walletClaimsOf(user: User, issuer: string, audience: string): TokenClaims {
  return {
    iss: issuer,
    sub: user.id,
    aud: audience,
    scope: 'smart-account',
    organization_id: user.organizationId,
  };
}
