import type jose from 'node-jose';
import { readToken, type UnverifiedToken } from '../../../../caller/jwt/read-token.ts';
import { TokenError } from '../../../../caller/jwt/token-error.ts';
import { verifySignature } from '../../../../caller/jwt/verify-signature.ts';
import {
  type SignatureAlgorithm,
  signatureAlgorithms,
} from '../../../../config/signature-algorithms.ts';
import { type CheckedClaims, checkClaims, type Expectations } from './check-claims.ts';
import type { KeySource } from './key-source.ts';

/** The keys, algorithms and claims that are accepted. */
export interface Trust {
  readonly keys: KeySource;
  readonly algorithms: readonly SignatureAlgorithm[];
  readonly expectations: Expectations;
}

/** A verified token: its contents, its checked claims and the key that verified it. */
export interface Verification {
  readonly unverified: UnverifiedToken<SignatureAlgorithm>;
  readonly claims: CheckedClaims;
  readonly key: jose.JWK.Key;
}

/** Verifies the form, algorithm, key, signature, claims and times of a token. @throws TokenError */
export async function verifyToken(token: string, trust: Trust): Promise<Verification> {
  const unverified = readToken(token, signatureAlgorithms);
  if (!trust.algorithms.includes(unverified.algorithm)) throw new TokenError('algorithm');
  const key = await trust.keys.keyFor(unverified.kid, unverified.algorithm);
  await verifySignature(token, unverified.algorithm, key);
  const claims = checkClaims(unverified, trust.expectations, Date.now() / 1000);
  return { unverified, claims, key };
}
