import jose from 'node-jose';
import { TokenError } from '../../../../caller/jwt/token-error.ts';
import type { SigningKeys } from '../../signing/signing-keys.ts';
import type { Expectations } from '../verify/check-claims.ts';
import type { KeySource } from '../verify/key-source.ts';

/** The issuer and the audience of tokens from `rowgate dev-token`. */
export const localIssuer = 'urn:rowgate:local';
/** The header's `typ` of access tokens (RFC 9068). */
export const accessTokenType = 'at+jwt';

export const localExpectations: Expectations = {
  issuer: localIssuer,
  audiences: [localIssuer],
  types: [accessTokenType],
};

/** Makes a key source from the platform's own signing keys. */
export function localKeySource(keys: SigningKeys): KeySource {
  const store = jose.JWK.createKeyStore();
  return {
    keyFor: async (kid) => {
      const jwk = kid === undefined ? undefined : await keys.publicKey(kid);
      if (!jwk) throw new TokenError('unknown-key');
      return store.get(jwk.kid) ?? store.add(jwk);
    },
    stillHas: async ({ kid }) => (await keys.publicKeys()).some((jwk) => jwk.kid === kid),
  };
}
