import type jose from 'node-jose';
import type { SignatureAlgorithm } from '../../../../config/signature-algorithms.ts';

/** A source of the public keys that verify tokens. */
export interface KeySource {
  /**
   * Finds the key that a token names.
   * @param kid the id of the key; undefined: the only key for the algorithm
   * @throws TokenError `unknown-key`, `provider-unreachable`
   */
  keyFor(kid: string | undefined, algorithm: SignatureAlgorithm): Promise<jose.JWK.Key>;
  /** Returns whether the source still has a key that it returned earlier. */
  stillHas(key: jose.JWK.Key): Promise<boolean>;
}
