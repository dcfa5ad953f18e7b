import { type KeyObject, timingSafeEqual, verify } from 'node:crypto';
import jose from 'node-jose';
import type { TokenAlgorithm } from '../../config/signature-algorithms.ts';
import { TokenError } from './token-error.ts';

/**
 * Length in bytes of a signature with an elliptic curve. It is checked here, because the library ignores further bytes.
 */
const curveBytes: Partial<Readonly<Record<TokenAlgorithm, number>>> = {
  ES256: 64,
  ES384: 96,
  ES512: 132,
};

/**
 * Verifies the signature of a token with a public key, in the form of the library node-jose.
 * @throws TokenError `signature`
 */
export async function verifySignature(
  token: string,
  algorithm: TokenAlgorithm,
  key: jose.JWK.Key,
): Promise<void> {
  const { signature } = partsOf(token);
  const expected = curveBytes[algorithm] ?? signature.length;
  if (signature.length !== expected) throw new TokenError('signature');
  const options = { algorithms: [algorithm], allowEmbeddedKey: false };
  try {
    await jose.JWS.createVerify(key, options).verify(token);
  } catch {
    throw new TokenError('signature');
  }
}

/**
 * Verifies the signature of a token with a shared secret. The library only computes the expected signature. The
 * comparison is made here, because the library's takes variable time and ignores bytes after the signature.
 * @throws TokenError `signature`
 */
export async function verifySecretSignature(
  token: string,
  algorithm: TokenAlgorithm,
  secret: Buffer,
): Promise<void> {
  const { signed, signature } = partsOf(token);
  const { mac } = await jose.JWA.sign(algorithm, secret, signed, {});
  if (mac.length === signature.length && timingSafeEqual(mac, signature)) return;
  throw new TokenError('signature');
}

/** Verifies a signature with Ed25519, which the library does not support. @throws TokenError `signature` */
export function verifyEdwardsSignature(token: string, key: KeyObject): void {
  const { signed, signature } = partsOf(token);
  if (!verify(null, signed, key, signature)) throw new TokenError('signature');
}

function partsOf(token: string): { readonly signed: Buffer; readonly signature: Buffer } {
  const end = token.lastIndexOf('.');
  return {
    signed: Buffer.from(token.slice(0, end)),
    signature: Buffer.from(token.slice(end + 1), 'base64url'),
  };
}
