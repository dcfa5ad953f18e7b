import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import jose from 'node-jose';
import { ProcessError } from '../../../errors.ts';
import { seal, unseal } from './encrypted-text.ts';
import type { PublicJwk } from './signing-keys.ts';

/** A key that is to be stored. */
export interface NewKey {
  readonly kid: string;
  readonly publicJwk: PublicJwk;
  readonly sealedPrivateJwk: Buffer;
}

/** A key as it is stored. */
export interface StoredKey extends NewKey {
  /** Whether it signs; the others only verify. */
  readonly isCurrent: boolean;
}

/** What private halves are sealed with, and what they may have been sealed with before. */
export interface SigningSecrets {
  readonly secretKey: string;
  readonly previousSecretKey: string | undefined;
}

/** Makes a new key (RSA, 2048 bits). */
export async function makeKey({ secretKey }: SigningSecrets): Promise<NewKey> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  const jwk = { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' };
  // Without a name of its own the key is named by its thumbprint (RFC 7638).
  const key = await jose.JWK.asKey(jwk);
  return {
    kid: key.kid,
    publicJwk: key.toJSON() as PublicJwk,
    sealedPrivateJwk: seal(JSON.stringify(jwk), secretKey, key.kid),
  };
}

/**
 * The key, ready to sign.
 * @throws ProcessError RG_CONFIG (exit 2) where no secret opens it
 */
export async function openKey(
  { kid, sealedPrivateJwk }: NewKey,
  { secretKey, previousSecretKey }: SigningSecrets,
): Promise<jose.JWK.Key> {
  for (const secret of [secretKey, previousSecretKey]) {
    const text = secret === undefined ? undefined : unseal(sealedPrivateJwk, secret, kid);
    if (text !== undefined) return jose.JWK.asKey({ ...JSON.parse(text), kid });
  }
  throw new ProcessError('RG_CONFIG', 'ROWGATE_SECRET_KEY does not open the signing key', {
    hint:
      'set ROWGATE_PREVIOUS_SECRET_KEY to the one from before its change (embedded: restore the file secret-key); ' +
      'where that is lost, `rowgate keys rotate --forget` makes a new signing key',
    exitCode: 2,
  });
}
