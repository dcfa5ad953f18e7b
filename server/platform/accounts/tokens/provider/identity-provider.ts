import type { IdentityProviderConfig } from '../../../config/identity-config.ts';
import type { KeySource } from '../verify/key-source.ts';

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
