import type { PublicJwk, SigningKeys } from '../signing/signing-keys.ts';
import type { Expectations } from './check-claims.ts';
import type { KeySource } from './identity-provider.ts';
import { TokenError } from './token-error.ts';
import { readVerificationKey, type VerificationKey } from './verification-key.ts';

/** Issuer and audience of tokens that `rowgate dev-token` makes. */
export const localIssuer = 'urn:rowgate:local';
/** The header's `typ` of access tokens (RFC 9068). */
export const accessTokenType = 'at+jwt';

export const localExpectations: Expectations = {
  issuer: localIssuer,
  audiences: [localIssuer],
  types: [accessTokenType],
};

/** The platform's own keys as a source for the verification of tokens. */
export function localKeySource(keys: SigningKeys): KeySource {
  const read = new Map<string, VerificationKey>();
  return {
    keyFor: async (kid) => {
      const jwk = kid === undefined ? undefined : await keys.publicKey(kid);
      const key = jwk && (read.get(jwk.kid) ?? (await readOwn(jwk)));
      if (!key) throw new TokenError('unknown-key');
      read.set(jwk.kid, key);
      return key;
    },
    stillHas: async ({ kid }) => (await keys.publicKeys()).some((jwk) => jwk.kid === kid),
  };
}

async function readOwn(jwk: PublicJwk): Promise<VerificationKey> {
  const key = await readVerificationKey(jwk);
  if (key) return key;
  throw new Error(`the signing key ${jwk.kid} cannot be used`);
}
