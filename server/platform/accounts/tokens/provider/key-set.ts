import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import jose from 'node-jose';
import type { SignatureAlgorithm } from '../../../config/identity-config.ts';
import { fetchJson } from './fetch-json.ts';

// RFC 7518 asks for no less; with an exponent of 1 every text would be its own signature.
const minModulusBits = 2048;
const minExponent = 3n;

/** Fetches a key set (RFC 7517). Rejects where the address answers with anything else. */
export async function fetchKeys(url: string, signal: AbortSignal): Promise<jose.JWK.KeyStore> {
  const { keys } = await fetchJson(url, signal);
  if (!Array.isArray(keys)) throw new Error(`${url} answers with something else than a key set`);
  const store = jose.JWK.createKeyStore();
  for (const jwk of keys.map(publicJwk)) {
    // The library refuses other types of keys, and names such as __proto__.
    if (jwk) await store.add(jwk).catch(() => {});
  }
  return store;
}

/** The only key of the set that a token can mean; undefined where there is none or several. */
export function selectKey(
  store: jose.JWK.KeyStore | undefined,
  kid: string | undefined,
  algorithm: SignatureAlgorithm,
): jose.JWK.Key | undefined {
  const [key, another] = store?.all({ alg: algorithm, ...(kid !== undefined && { kid }) }) ?? [];
  return another === undefined ? key : undefined;
}

/**
 * An entry of a key set, rewritten so that only a normalised public key, its name and its algorithm reach the library.
 * Undefined for shared secrets, private keys (which must never be published), encryption keys, weak and broken keys.
 */
function publicJwk(entry: unknown): JsonWebKey | undefined {
  if (!isJwk(entry) || entry.d !== undefined || !isForSignatures(entry)) return undefined;
  try {
    const key = createPublicKey({ key: entry, format: 'jwk' });
    if (!isStrong(key)) return undefined;
    const { kid, alg } = entry;
    return {
      ...key.export({ format: 'jwk' }),
      use: 'sig',
      ...(kid && { kid }),
      ...(alg && { alg }),
    };
  } catch {
    return undefined;
  }
}

function isJwk(entry: unknown): entry is JsonWebKey & { readonly kid?: string; alg?: string } {
  if (typeof entry !== 'object' || entry === null) return false;
  const { kid, alg }: { readonly kid?: unknown; readonly alg?: unknown } = entry;
  return [kid, alg].every((text) => text === undefined || typeof text === 'string');
}

function isForSignatures({ use, key_ops: operations }: JsonWebKey): boolean {
  if (use !== undefined && use !== 'sig') return false;
  return operations === undefined || (Array.isArray(operations) && operations.includes('verify'));
}

/** Elliptic curves have their strength from the curve, and the library has only those of RFC 7518. */
function isStrong({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean {
  if (asymmetricKeyType === 'ec') return true;
  const { modulusLength = 0, publicExponent = 0n } = asymmetricKeyDetails ?? {};
  return modulusLength >= minModulusBits && publicExponent >= minExponent;
}
