import { createHash } from 'node:crypto';
import type jose from 'node-jose';
import { TokenError } from '../../../caller/jwt/token-error.ts';
import { Lru } from '../../../lru.ts';
import type { SigningKeys } from '../signing/signing-keys.ts';
import { localExpectations, localKeySource } from './local/local-tokens.ts';
import type { IdentityProvider } from './provider/identity-provider.ts';
import { hasExpired } from './verify/check-claims.ts';
import { readProfile } from './verify/token-profile.ts';
import type { TokenVerifier, VerifiedToken } from './verify/verified-token.ts';
import { type Trust, verifyToken } from './verify/verify-token.ts';

/** The memory for verified tokens in bytes, which is enough for about 16,000 tokens. */
const memoryBudget = 16 * 1024 * 1024;
const bytesPerToken = 1024;

export interface TokenVerifierOptions {
  readonly provider: IdentityProvider | undefined;
  /** The keys of tokens from `rowgate dev-token`, which are accepted only without a provider. */
  readonly devKeys: SigningKeys | undefined;
}

interface BearerTrust extends Trust {
  readonly emailClaim: string;
}

interface Remembered {
  readonly token: VerifiedToken;
  readonly key: jose.JWK.Key;
}

/**
 * Makes the verifier of Bearer tokens. A verified token is not verified again until it expires or its key is removed.
 * The verifier does not check whether the token was revoked or its person was disabled.
 */
export function makeTokenVerifier(options: TokenVerifierOptions): TokenVerifier {
  const trust = trustOf(options);
  const remembered = new Lru<Remembered>(memoryBudget);
  return {
    verify: async (token) => {
      if (!trust) throw new TokenError('no-provider');
      // The cache key is a digest of the whole token with its signature. Otherwise the same contents with a forged
      // signature would find the cache entry of the valid token.
      const name = createHash('sha256').update(token).digest('base64');
      const known = remembered.get(name);
      if (known && (await trust.keys.stillHas(known.key))) return unexpired(known.token);
      const fresh = await verify(token, trust);
      remembered.set(name, fresh, bytesPerToken + token.length);
      return fresh.token;
    },
  };
}

function trustOf({ provider, devKeys }: TokenVerifierOptions): BearerTrust | undefined {
  if (provider) {
    const { issuer, audiences, algorithms, emailClaim } = provider.settings;
    const expectations = { issuer, audiences, types: [undefined, 'jwt', 'at+jwt'] };
    return { keys: provider, algorithms, expectations, emailClaim };
  }
  if (!devKeys) return undefined;
  return {
    keys: localKeySource(devKeys),
    algorithms: ['RS256'],
    expectations: localExpectations,
    emailClaim: 'email',
  };
}

async function verify(token: string, trust: BearerTrust): Promise<Remembered> {
  const { unverified, claims, key } = await verifyToken(token, trust);
  return {
    key,
    token: {
      subject: claims.subject,
      issuedAt: new Date(claims.issuedAt * 1000),
      expiresAt: new Date(claims.expiresAt * 1000),
      digest: createHash('sha256').update(unverified.signed).digest(),
      ...readProfile(unverified.claims, trust.emailClaim),
    },
  };
}

function unexpired(token: VerifiedToken): VerifiedToken {
  if (!hasExpired(token.expiresAt.getTime() / 1000, Date.now() / 1000)) return token;
  throw new TokenError('expired');
}
