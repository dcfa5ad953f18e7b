import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import jose from 'node-jose';
import { ProcessError } from '../../../errors.ts';
import { decrypt, encrypt } from './encrypted-text.ts';
import type { PublicJwk } from './signing-keys.ts';

/** A key to store. */
export interface NewKey {
  readonly kid: string;
  readonly publicJwk: PublicJwk;
  readonly encryptedPrivateJwk: Buffer;
}

/** A stored key. */
export interface StoredKey extends NewKey {
  /** Whether the key signs new tokens. The other keys only verify. */
  readonly isCurrent: boolean;
}

/** The secret that encrypts private keys, and the previous secret after a change. */
export interface SigningSecrets {
  readonly secretKey: string;
  readonly previousSecretKey: string | undefined;
}

/** Makes a new key (RSA, 2048 bits). */
export async function makeKey({ secretKey }: SigningSecrets): Promise<NewKey> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  const jwk = { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' };
  // The library names a key without `kid` by its thumbprint (RFC 7638).
  const key = await jose.JWK.asKey(jwk);
  return {
    kid: key.kid,
    publicJwk: key.toJSON() as PublicJwk,
    encryptedPrivateJwk: encrypt(JSON.stringify(jwk), secretKey, key.kid),
  };
}

/**
 * Decrypts the private key, for signing.
 * @throws ProcessError RG_CONFIG (exit 2) when no secret decrypts it
 */
export async function openKey(
  { kid, encryptedPrivateJwk }: NewKey,
  { secretKey, previousSecretKey }: SigningSecrets,
): Promise<jose.JWK.Key> {
  for (const secret of [secretKey, previousSecretKey]) {
    const text = secret === undefined ? undefined : decrypt(encryptedPrivateJwk, secret, kid);
    if (text !== undefined) return jose.JWK.asKey({ ...JSON.parse(text), kid });
  }
  throw new ProcessError('RG_CONFIG', 'ROWGATE_SECRET_KEY does not open the signing key', {
    hint:
      'set ROWGATE_PREVIOUS_SECRET_KEY to the one from before its change (embedded: restore the file secret-key); ' +
      'where that is lost, `rowgate keys rotate --forget` makes a new signing key',
    exitCode: 2,
  });
}
