import { type Static, Type } from 'typebox';
import type { ProviderMetadata } from '../tokens/provider/identity-provider.ts';
import { walletClaims } from '../wallet/wallet-claims.ts';

const url = Type.String({ format: 'uri' });
const names = Type.Array(Type.String());

/**
 * The schema of the discovery document (OpenID Connect Discovery 1.0, section 3). The platform issues tokens at its own
 * endpoints, but people sign in at the identity provider.
 */
export const discoverySchema = Type.Object(
  {
    issuer: url,
    jwks_uri: url,
    authorization_endpoint: Type.Optional(url),
    token_endpoint: Type.Optional(url),
    end_session_endpoint: url,
    response_types_supported: names,
    subject_types_supported: names,
    id_token_signing_alg_values_supported: names,
    claims_supported: names,
  },
  { title: 'DiscoveryDocument', additionalProperties: false },
);

/** Makes the discovery document, with which other services verify the platform's tokens. */
export function discoveryDocument(
  baseUrl: string,
  provider: ProviderMetadata | undefined,
): Static<typeof discoverySchema> {
  const { authorizationEndpoint, tokenEndpoint } = provider ?? {};
  return {
    issuer: baseUrl,
    jwks_uri: `${baseUrl}/.well-known/jwks.json`,
    ...(authorizationEndpoint && { authorization_endpoint: authorizationEndpoint }),
    ...(tokenEndpoint && { token_endpoint: tokenEndpoint }),
    end_session_endpoint: `${baseUrl}/auth/logout`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    claims_supported: [...walletClaims],
  };
}
