import type jose from 'node-jose';
import type { IdentityProviderConfig, SignatureAlgorithm } from '../../config/identity-config.ts';

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

/** What the provider's discovery document tells of itself. */
export interface ProviderMetadata {
  readonly authorizationEndpoint?: string;
  readonly tokenEndpoint?: string;
  readonly endSessionEndpoint?: string;
}

/** The outside service that people sign in at. */
export interface IdentityProvider extends KeySource {
  readonly settings: IdentityProviderConfig;
  /** The configured one, or that of the discovery document; undefined where neither is known. Never rejects. */
  logoutUrl(): Promise<string | undefined>;
  /** Undefined where the provider has no discovery document or does not answer (within 5 s). Never rejects. */
  metadata(): Promise<ProviderMetadata | undefined>;
  close(): Promise<void>;
}
