import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import jose from 'node-jose';
import { isStrong } from '../../../config/authentication/jwt-key.ts';
import type { SignatureAlgorithm } from '../../../config/signature-algorithms.ts';
import { freshMsOf } from './cache-headers.ts';
import { fetchJsonAnswer } from './fetch-json.ts';

/** The public keys of a provider. */
export interface KeySet {
  readonly store: jose.JWK.KeyStore;
  /** Keys for Ed25519, which the library does not support. */
  readonly edwards: readonly EdwardsKey[];
  /** The milliseconds for which the answer may be cached; undefined without caching headers. */
  readonly freshMs: number | undefined;
}

export interface EdwardsKey {
  readonly kid: string | undefined;
  readonly key: KeyObject;
}

/** Fetches a key set (RFC 7517). Rejects when the answer is not a key set. */
export async function fetchKeySet(url: string, signal: AbortSignal): Promise<KeySet> {
  const { json, headers } = await fetchJsonAnswer(url, signal);
  const { keys } = json;
  if (!Array.isArray(keys)) throw new Error(`${url} does not answer with a key set`);
  const store = jose.JWK.createKeyStore();
  const edwards: EdwardsKey[] = [];
  for (const jwk of keys.map(publicJwk)) {
    if (jwk?.kty === 'OKP') edwards.push(edwardsKey(jwk));
    // The library rejects other types of keys, and key ids such as __proto__. These keys are skipped.
    else if (jwk) await store.add(jwk).catch(() => {});
  }
  return { store, edwards, freshMs: freshMsOf(headers) };
}

function edwardsKey(jwk: PublicJwk): EdwardsKey {
  return { kid: jwk.kid, key: createPublicKey({ key: jwk, format: 'jwk' }) };
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
 * Normalizes an entry of a key set, so that the library only receives a public key, its id and its algorithm. Returns
 * undefined for shared secrets, private keys, encryption keys, weak keys and invalid keys.
 */
function publicJwk(entry: unknown): PublicJwk | undefined {
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

type PublicJwk = JsonWebKey & { readonly kid?: string; readonly alg?: string };

function isJwk(entry: unknown): entry is PublicJwk {
  if (typeof entry !== 'object' || entry === null) return false;
  const { kid, alg }: { readonly kid?: unknown; readonly alg?: unknown } = entry;
  return [kid, alg].every((text) => text === undefined || typeof text === 'string');
}

function isForSignatures({ use, key_ops: operations }: JsonWebKey): boolean {
  if (use !== undefined && use !== 'sig') return false;
  return operations === undefined || (Array.isArray(operations) && operations.includes('verify'));
}
