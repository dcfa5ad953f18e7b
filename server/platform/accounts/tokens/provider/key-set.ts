import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import jose from 'node-jose';
import type { SignatureAlgorithm } from '../../../config/identity-config.ts';
import { fetchJson } from './fetch-json.ts';

// Weaker RSA keys are skipped. RFC 7518 requires 2048 bits. The exponent must exceed 1, because with 1 everyone could
// forge signatures.
const minModulusBits = 2048;
const minExponent = 3n;

/** Fetches a key set (RFC 7517). Rejects when the answer is not a key set. */
export async function fetchKeys(url: string, signal: AbortSignal): Promise<jose.JWK.KeyStore> {
  const { keys } = await fetchJson(url, signal);
  if (!Array.isArray(keys)) throw new Error(`${url} does not answer with a key set`);
  const store = jose.JWK.createKeyStore();
  for (const jwk of keys.map(publicJwk)) {
    // The library rejects other types of keys, and names such as __proto__. These keys are skipped.
    if (jwk) await store.add(jwk).catch(() => {});
  }
  return store;
}

/** Selects the only key of the set that matches; undefined when none or several match. */
export function selectKey(
  store: jose.JWK.KeyStore | undefined,
  kid: string | undefined,
  algorithm: SignatureAlgorithm,
): jose.JWK.Key | undefined {
  const [key, another] = store?.all({ alg: algorithm, ...(kid !== undefined && { kid }) }) ?? [];
  return another === undefined ? key : undefined;
}

/**
 * Normalizes an entry of a key set, so that the library only receives a public key, its name and its algorithm. Returns
 * undefined for shared secrets, private keys, encryption keys, weak keys and invalid keys.
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

/** Checks the strength of a key. All elliptic curves that the library supports (RFC 7518) are strong. */
function isStrong({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean {
  if (asymmetricKeyType === 'ec') return true;
  const { modulusLength = 0, publicExponent = 0n } = asymmetricKeyDetails ?? {};
  return modulusLength >= minModulusBits && publicExponent >= minExponent;
}
