import type { SignatureAlgorithm } from '../../../config/identity-config.ts';
import { fetchJson } from './fetch-json.ts';
import { readVerificationKey, type VerificationKey } from './verification-key.ts';

/** Fetches a key set (RFC 7517) and keeps what verifies signatures. Rejects where it is none. */
export async function fetchKeys(
  url: string,
  signal: AbortSignal,
): Promise<readonly VerificationKey[]> {
  const { keys } = await fetchJson(url, signal);
  if (!Array.isArray(keys)) throw new Error(`${url} answers with something else than a key set`);
  const read = await Promise.all(keys.map(readVerificationKey));
  return read.filter((key) => key !== undefined);
}

/** The one key of the set that a token can mean; undefined where there is none or where it could be several. */
export function selectKey(
  keys: readonly VerificationKey[],
  kid: string | undefined,
  algorithm: SignatureAlgorithm,
): VerificationKey | undefined {
  const [key, another] = keys.filter(
    (one) => one.algorithms.has(algorithm) && (kid === undefined || one.kid === kid),
  );
  return another === undefined ? key : undefined;
}
