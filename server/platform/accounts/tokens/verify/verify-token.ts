import jose from 'node-jose';
import type { SignatureAlgorithm } from '../../../config/identity-config.ts';
import { type CheckedClaims, checkClaims, type Expectations } from './check-claims.ts';
import type { KeySource } from './key-source.ts';
import { readToken, type UnverifiedToken } from './read-token.ts';
import { TokenError } from './token-error.ts';

/** Whose tokens count, and what they have to say. */
export interface Trust {
  readonly keys: KeySource;
  readonly algorithms: readonly SignatureAlgorithm[];
  readonly expectations: Expectations;
}

/** A token as it was read, what every token claims, and the key that it is signed with. */
export interface Verification {
  readonly unverified: UnverifiedToken;
  readonly claims: CheckedClaims;
  readonly key: jose.JWK.Key;
}

/** Everything that makes a token good: its form, algorithm, key, signature, claims and times. @throws TokenError */
export async function verifyToken(token: string, trust: Trust): Promise<Verification> {
  const unverified = readToken(token);
  if (!trust.algorithms.includes(unverified.algorithm)) throw new TokenError('algorithm');
  const key = await trust.keys.keyFor(unverified.kid, unverified.algorithm);
  await verifySignature(token, unverified.algorithm, key);
  const claims = checkClaims(unverified, trust.expectations, Date.now() / 1000);
  return { unverified, claims, key };
}

async function verifySignature(
  token: string,
  algorithm: SignatureAlgorithm,
  key: jose.JWK.Key,
): Promise<void> {
  const options = { algorithms: [algorithm], allowEmbeddedKey: false };
  try {
    await jose.JWS.createVerify(key, options).verify(token);
  } catch {
    throw new TokenError('signature');
  }
}
