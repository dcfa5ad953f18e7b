import type { Endpoint } from '../../../http/endpoint/define-endpoint.ts';
import type { KycConfig } from '../../config/kyc-config.ts';
import { makeTokenEndpoint, type TokenEndpointServices } from './document-token-endpoint.ts';
import { makeFileEndpoint } from './kyc-file-endpoint.ts';
import { makeKycProvider, type ProviderLimits } from './kyc-provider.ts';

export interface KycServices extends TokenEndpointServices {
  /** Absent when no provider is configured; files then cannot be fetched. */
  readonly config: KycConfig | undefined;
  /** Replaces the default limits, for tests. */
  readonly limits?: Partial<ProviderLimits>;
}

/** Makes the endpoints that issue tokens for files of KYC documents and send these files. */
export function makeKycEndpoints({ config, limits, ...services }: KycServices): Endpoint[] {
  const provider = config && makeKycProvider(config, services.logger, limits);
  return [makeTokenEndpoint(services), makeFileEndpoint({ ...services, provider })];
}
