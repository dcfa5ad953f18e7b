import { setTimeout as delay } from 'node:timers/promises';
import { Type } from 'typebox';
import { publicAccess } from '../../../http/endpoint/access.ts';
import { defineEndpoint, type Endpoint } from '../../../http/endpoint/define-endpoint.ts';
import { discoveryTag } from '../../api-tags.ts';
import type { PublicJwk, SigningKeys } from '../signing/signing-keys.ts';
import type { IdentityProvider, ProviderMetadata } from '../tokens/provider/identity-provider.ts';
import { discoveryDocument, discoverySchema } from './discovery-document.ts';

export interface DiscoveryOptions {
  readonly keys: SigningKeys;
  readonly provider: IdentityProvider | undefined;
  /** The issuer of the platform's tokens. */
  readonly baseUrl: string;
}

// Clients may cache the keys only for a short time, because keys fetched before a rotation lack the new key that signs
// tokens.
const caching = { 'Cache-Control': 'public, max-age=60' };
const maxWaitMs = 500;

const keySetSchema = Type.Object(
  {
    keys: Type.Array(
      Type.Object(
        {
          kty: Type.Literal('RSA'),
          kid: Type.String({ description: 'Key identifier' }),
          use: Type.Literal('sig'),
          alg: Type.Literal('RS256'),
          n: Type.String({ description: 'Modulus' }),
          e: Type.String({ description: 'Exponent' }),
        },
        { title: 'JsonWebKey', additionalProperties: false },
      ),
    ),
  },
  { title: 'JsonWebKeySet', additionalProperties: false },
);

/** Makes the endpoints that other services need to verify the platform's tokens. */
export function makeDiscoveryEndpoints(options: DiscoveryOptions): readonly Endpoint[] {
  return [configurationEndpoint(options), keySetEndpoint(options)];
}

function configurationEndpoint({ provider, baseUrl }: DiscoveryOptions): Endpoint {
  return defineEndpoint({
    method: 'get',
    path: '/.well-known/openid-configuration',
    operationId: 'getDiscoveryDocument',
    tag: discoveryTag,
    summary: 'describe the issuer of tokens and the location of its keys',
    description:
      'Includes the sign-in endpoints of the identity provider, when it answers in time.',
    access: publicAccess,
    answers: {
      200: {
        description: 'The OpenID Connect discovery document',
        content: { 'application/json': discoverySchema },
      },
    },
    handle: async (_input, response) => {
      response.set(caching).json(discoveryDocument(baseUrl, await metadataOf(provider)));
    },
  });
}

/** Reads the provider's metadata; undefined when the provider does not answer in time. */
async function metadataOf(
  provider: IdentityProvider | undefined,
): Promise<ProviderMetadata | undefined> {
  return Promise.race([provider?.metadata(), delay(maxWaitMs, undefined, { ref: false })]);
}

function keySetEndpoint({ keys }: DiscoveryOptions): Endpoint {
  return defineEndpoint({
    method: 'get',
    path: '/.well-known/jwks.json',
    operationId: 'getKeySet',
    tag: discoveryTag,
    summary: 'list the public keys of tokens that are issued here',
    access: publicAccess,
    answers: {
      200: {
        description: 'The current key first, then those whose tokens may still be valid',
        content: { 'application/json': keySetSchema },
      },
    },
    handle: async (_input, response) => {
      response.set(caching).json({ keys: (await keys.publicKeys()).map(publicHalf) });
    },
  });
}

/** Returns only the public members of a stored key, so that no private member can be published by mistake. */
function publicHalf({ kty, kid, use, alg, n, e }: PublicJwk): PublicJwk {
  return { kty, kid, use, alg, n, e };
}
