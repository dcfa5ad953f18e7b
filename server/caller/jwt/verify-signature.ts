import { type KeyObject, verify } from 'node:crypto';
import jose from 'node-jose';
import type { TokenAlgorithm } from '../../config/signature-algorithms.ts';
import { TokenError } from './token-error.ts';

/** Verifies the signature of a token with a key of the library. @throws TokenError `signature` */
export async function verifySignature(
  token: string,
  algorithm: TokenAlgorithm,
  key: jose.JWK.Key,
): Promise<void> {
  const options = { algorithms: [algorithm], allowEmbeddedKey: false };
  try {
    await jose.JWS.createVerify(key, options).verify(token);
  } catch {
    throw new TokenError('signature');
  }
}

/** Verifies a signature with Ed25519, which the library does not support. @throws TokenError `signature` */
export function verifyEdwardsSignature(token: string, key: KeyObject): void {
  const end = token.lastIndexOf('.');
  const signature = Buffer.from(token.slice(end + 1), 'base64url');
  if (!verify(null, Buffer.from(token.slice(0, end)), key, signature)) {
    throw new TokenError('signature');
  }
}
