import type { Access } from '../../../http/endpoint/access.ts';
import { defineEndpoint, type Endpoint } from '../../../http/endpoint/define-endpoint.ts';
import { tokensTag } from '../../api-tags.ts';
import { issuedTokenBody, issuedTokenSchema } from '../issued-token.ts';
import type { RateLimits } from '../limits/rate-limits.ts';
import type { SignedIn } from '../sessions/signed-in-access.ts';
import type { SigningKeys } from '../signing/signing-keys.ts';
import { walletClaimsOf, walletTokenSeconds, walletTokenType } from './wallet-claims.ts';

export interface WalletEndpointOptions {
  readonly access: Access<SignedIn>;
  readonly keys: SigningKeys;
  readonly limits: Pick<RateLimits, 'byAddress' | 'byAccount'>;
  /** The issuer of the token. */
  readonly baseUrl: string;
  readonly audience: string;
}

/** Makes the endpoint that issues a person a token for the person's own smart account. */
export function makeWalletEndpoint(options: WalletEndpointOptions): Endpoint {
  const { access, keys, limits, baseUrl, audience } = options;
  return defineEndpoint({
    method: 'post',
    path: '/auth/wallet-provider-jwt',
    operationId: 'issueWalletToken',
    tag: tokensTag,
    summary: 'issue a token for operations of the smart account',
    description:
      'The token is a JWT, signed with RS256 and valid for 5 minutes. Its key is in the key set. It is not a Bearer token here.',
    access,
    limit: limits.byAddress('tokens'),
    answers: {
      200: {
        description: 'The token',
        content: { 'application/json': issuedTokenSchema },
      },
    },
    handle: async ({ who: { user } }, response) => {
      await limits.byAccount('tokens', `user:${user.id}`);
      const claims = walletClaimsOf(user, baseUrl, audience);
      const given = { type: walletTokenType, lifetimeSeconds: walletTokenSeconds };
      const token = await keys.sign(claims, given);
      response.set('Cache-Control', 'no-store').json(issuedTokenBody(token));
    },
  });
}
