import type { Discovered } from '../../../../caller/jwt/keys/discovery.ts';
import type { IdentityProviderConfig } from '../../../config/identity-config.ts';
import type { KeySource } from '../verify/key-source.ts';

/** The endpoints in the provider's discovery document, without the address of the keys. */
export type ProviderMetadata = Omit<Discovered, 'jwksUrl'>;

/** The external service where people sign in. */
export interface IdentityProvider extends KeySource {
  readonly settings: IdentityProviderConfig;
  /**
   * Returns the configured URL, or the URL in the discovery document; undefined when neither is known. Never rejects.
   */
  logoutUrl(): Promise<string | undefined>;
  /** Returns undefined when the provider has no discovery document or does not answer within 5 s. Never rejects. */
  metadata(): Promise<ProviderMetadata | undefined>;
  close(): Promise<void>;
}
