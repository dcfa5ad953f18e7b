/**
 * Algorithms that sign tokens with a private key, so that verifiers cannot sign. The library node-jose verifies these
 * tokens.
 */
export const signatureAlgorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
] as const;
export type SignatureAlgorithm = (typeof signatureAlgorithms)[number];

/** Algorithms of tokens that sign with a shared secret. */
const secretAlgorithms = ['HS256', 'HS384', 'HS512'] as const;

/** The names of signatures with Ed25519 (RFC 8037, RFC 9864). */
const edwardsAlgorithms = ['EdDSA', 'Ed25519'] as const;

/** All algorithms that a token may name. */
export const tokenAlgorithms = [
  ...signatureAlgorithms,
  ...secretAlgorithms,
  ...edwardsAlgorithms,
] as const;
export type TokenAlgorithm = (typeof tokenAlgorithms)[number];

/** Algorithms that share a kind of key. */
export type AlgorithmFamily = 'HS' | 'RS' | 'PS' | 'ES' | 'Ed';

export function familyOf(algorithm: TokenAlgorithm): AlgorithmFamily {
  return algorithm.slice(0, 2) as AlgorithmFamily;
}
