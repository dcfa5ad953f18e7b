import type { Endpoint } from '../../../http/endpoint.ts';
import type { KycConfig } from '../../config/kyc-config.ts';
import { makeFileEndpoint } from './file-endpoint.ts';
import { makeKycProvider, type ProviderLimits } from './provider.ts';
import { makeTokenEndpoint, type TokenEndpointServices } from './token-endpoint.ts';

export interface KycServices extends TokenEndpointServices {
  /** Absent: files cannot be fetched. */
  readonly config: KycConfig | undefined;
  /** Where others than the usual ones shall hold. */
  readonly limits?: Partial<ProviderLimits>;
}

/** Tokens for the files of KYC documents, and these files. */
export function makeKycEndpoints({ config, limits, ...services }: KycServices): Endpoint[] {
  const provider = config && makeKycProvider(config, services.logger, limits);
  return [makeTokenEndpoint(services), makeFileEndpoint({ ...services, provider })];
}
