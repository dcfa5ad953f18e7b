import { makeLogger } from '../../../../../server/log/log.ts';
import type { IdentityProvider } from '../../../../../server/platform/accounts/tokens/provider/identity-provider.ts';
import { openIdentityProvider } from '../../../../../server/platform/accounts/tokens/provider/open-identity-provider.ts';
import { makeTokenVerifier } from '../../../../../server/platform/accounts/tokens/token-verifier.ts';
import type { TokenVerifier } from '../../../../../server/platform/accounts/tokens/verify/verified-token.ts';
import type { IdentityProviderConfig } from '../../../../../server/platform/config/identity-config.ts';
import { LogCapture } from '../../../../support/log-capture.ts';
import { type AnswerServer, json, startAnswerServer } from './key-server.ts';

export const trialIssuer = 'https://identity.example/tenant/';
export const trialAudience = 'https://api.example';

/** A token verifier together with a provider whose answers a test sets. */
export interface TrialProvider extends AnswerServer {
  readonly provider: IdentityProvider;
  readonly verifier: TokenVerifier;
  readonly log: LogCapture;
  publish(...keys: readonly unknown[]): void;
  stop(): Promise<void>;
}

export async function startTrialProvider(
  settings: Partial<IdentityProviderConfig> = {},
): Promise<TrialProvider> {
  const server = await startAnswerServer(json({ keys: [] }));
  const log = new LogCapture();
  const provider = openIdentityProvider(
    {
      issuer: trialIssuer,
      audiences: [trialAudience],
      algorithms: ['RS256', 'ES256'],
      jwksUrl: `${server.url}/keys`,
      logoutUrl: undefined,
      clientId: undefined,
      emailClaim: 'email',
      ...settings,
    },
    makeLogger({ logLevel: 'info', headerPrefix: 'X-Gql-' }, log),
  );
  return Object.assign(server, {
    provider,
    log,
    verifier: makeTokenVerifier({ provider, devKeys: undefined }),
    publish: (...keys: readonly unknown[]) => {
      server.answer = json({ keys });
    },
    stop: async () => {
      await provider.close();
      await server.goAway();
    },
  });
}

/** The claims of a token that is valid for five minutes. */
export function goodClaims(): Readonly<Record<string, unknown>> {
  const now = Math.floor(Date.now() / 1000);
  return { iss: trialIssuer, aud: trialAudience, sub: 'anna', iat: now, exp: now + 300 };
}
