import jose from 'node-jose';
import type { SignatureAlgorithm } from '../../../config/identity-config.ts';
import { type CheckedClaims, checkClaims, type Expectations } from './check-claims.ts';
import type { KeySource } from './key-source.ts';
import { readToken, type UnverifiedToken } from './read-token.ts';
import { TokenError } from './token-error.ts';

/** The keys, algorithms and claims that are accepted. */
export interface Trust {
  readonly keys: KeySource;
  readonly algorithms: readonly SignatureAlgorithm[];
  readonly expectations: Expectations;
}

/** A verified token: its contents, its checked claims and the key that verified it. */
export interface Verification {
  readonly unverified: UnverifiedToken;
  readonly claims: CheckedClaims;
  readonly key: jose.JWK.Key;
}

/** Verifies the form, algorithm, key, signature, claims and times of a token. @throws TokenError */
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
