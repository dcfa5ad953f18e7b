import type jose from 'node-jose';
import type { SignatureAlgorithm } from '../../../config/identity-config.ts';

/** Where keys of tokens come from. */
export interface KeySource {
  /**
   * The key that a token says it is signed with; without a name, the only one for the algorithm.
   * @throws TokenError `unknown-key`, `provider-unreachable`
   */
  keyFor(kid: string | undefined, algorithm: SignatureAlgorithm): Promise<jose.JWK.Key>;
  /** Whether a key that it gave is still one of its own. */
  stillHas(key: jose.JWK.Key): Promise<boolean>;
}
