import { createHash } from 'node:crypto';
import jose from 'node-jose';
import type { SignatureAlgorithm } from '../../identity-config.ts';
import { Lru } from '../../lru.ts';
import type { SigningKeys } from '../signing/signing-keys.ts';
import { checkClaims, type Expectations, hasExpired } from './check-claims.ts';
import type { IdentityProvider, KeySource } from './identity-provider.ts';
import { localExpectations, localKeySource } from './local-tokens.ts';
import { readProfile } from './profile.ts';
import { readToken, type UnverifiedToken } from './read-token.ts';
import { TokenError } from './token-error.ts';
import type { VerificationKey } from './verification-key.ts';
import type { TokenVerifier, VerifiedToken } from './verified-token.ts';

/** Of what is remembered of good tokens, in bytes; some 16,000 tokens. */
const memoryBudget = 16 * 1024 * 1024;
const bytesPerToken = 1024;

export interface TokenVerifierOptions {
  readonly provider: IdentityProvider | undefined;
  /** Of tokens that `rowgate dev-token` made; they count only where there is no provider. */
  readonly devKeys: SigningKeys | undefined;
}

/** Whose tokens count here, and what they have to say. */
interface Trust {
  readonly keys: KeySource;
  readonly algorithms: readonly SignatureAlgorithm[];
  readonly expectations: Expectations;
  readonly emailClaim: string;
}

interface Remembered {
  readonly token: VerifiedToken;
  readonly key: VerificationKey;
}

/**
 * Decides about Bearer tokens. A token that was good is good until it expires or its key is given up, without being
 * verified again; whether its person may still do anything is for others to ask.
 */
export function makeTokenVerifier(options: TokenVerifierOptions): TokenVerifier {
  const trust = trustOf(options);
  const remembered = new Lru<Remembered>(memoryBudget);
  return {
    verify: async (token) => {
      if (!trust) throw new TokenError('no-provider');
      // Of all of it: by the signed part alone, a forged signature would pass for the one that was seen.
      const name = createHash('sha256').update(token).digest('base64');
      const known = remembered.get(name);
      if (known && (await trust.keys.stillHas(known.key))) return unexpired(known.token);
      const fresh = await verify(token, trust);
      remembered.set(name, fresh, bytesPerToken + token.length);
      return fresh.token;
    },
  };
}

function trustOf({ provider, devKeys }: TokenVerifierOptions): Trust | undefined {
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

async function verify(token: string, trust: Trust): Promise<Remembered> {
  const unverified = readToken(token);
  if (!trust.algorithms.includes(unverified.algorithm)) throw new TokenError('algorithm');
  const key = await trust.keys.keyFor(unverified.kid, unverified.algorithm);
  await verifySignature(token, unverified, key);
  const claims = checkClaims(unverified, trust.expectations, Date.now() / 1000);
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

async function verifySignature(
  token: string,
  { algorithm }: UnverifiedToken,
  { key }: VerificationKey,
): Promise<void> {
  const options = { algorithms: [algorithm], allowEmbeddedKey: false };
  try {
    await jose.JWS.createVerify(key, options).verify(token);
  } catch {
    throw new TokenError('signature');
  }
}

function unexpired(token: VerifiedToken): VerifiedToken {
  if (!hasExpired(token.expiresAt.getTime() / 1000, Date.now() / 1000)) return token;
  throw new TokenError('expired');
}
