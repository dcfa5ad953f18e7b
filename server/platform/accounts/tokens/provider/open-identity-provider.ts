import { isDeepStrictEqual } from 'node:util';
import type jose from 'node-jose';
import type pino from 'pino';
import { errorMessage, ProcessError } from '../../../../errors.ts';
import type { IdentityProviderConfig } from '../../../config/identity-config.ts';
import { TokenError } from '../verify/token-error.ts';
import type { IdentityProvider } from './identity-provider.ts';
import { fetchKeys, selectKey } from './key-set.ts';
import { type Discovered, discover, discoveryUrl } from './provider-discovery.ts';
import { Refreshed } from './refreshed-value.ts';

/**
 * The provider's keys and its discovery document, asked for when they are wanted first. They are kept up in the
 * background; while the provider is away, the last ones count for a day.
 * @throws ProcessError RG_CONFIG (exit 2) where it is not known where the keys are
 */
export function openIdentityProvider(
  settings: IdentityProviderConfig,
  logger: pino.Logger,
): IdentityProvider {
  const url = discoveryUrl(settings.issuer);
  if (url === undefined && settings.jwksUrl === undefined) throw keysNowhere();
  const warn = (what: string) => (error: unknown) =>
    logger.warn({ reason: reasonOf(error) }, `cannot read the identity provider's ${what}`);
  const discovery = new Refreshed<Discovered>({
    load: async (signal) => (url === undefined ? {} : discover(settings.issuer, url, signal)),
    onFailure: warn('discovery document'),
  });
  const keys = new Refreshed<jose.JWK.KeyStore>({
    load: async (signal) => fetchKeys(await keysUrl(settings, discovery), signal),
    onFailure: warn('keys'),
  });
  return {
    settings,
    keyFor: async (kid, algorithm) => {
      const known = selectKey(await keys.get(), kid, algorithm);
      const key = known ?? selectKey(await keys.renew(), kid, algorithm);
      if (key) return key;
      // It may be one of those that could not be fetched.
      throw new TokenError(keys.hasFailed ? 'provider-unreachable' : 'unknown-key');
    },
    stillHas: async (key) => {
      const named = keys.peek()?.all({ kid: key.kid }) ?? [];
      return named.some((one) => isSame(one, key));
    },
    metadata: () => discovery.get(),
    logoutUrl: async () => settings.logoutUrl ?? (await discovery.get())?.endSessionEndpoint,
    close: async () => {
      discovery.close();
      keys.close();
    },
  };
}

async function keysUrl(
  { jwksUrl }: IdentityProviderConfig,
  discovery: Refreshed<Discovered>,
): Promise<string> {
  if (jwksUrl !== undefined) return jwksUrl;
  const discovered = await discovery.get();
  if (discovered === undefined) throw new Error('its discovery document is not to be had');
  if (discovered.jwksUrl !== undefined) return discovered.jwksUrl;
  throw new Error('its discovery document names no jwks_uri that is https');
}

/** A new set has new objects for the keys that it shares with the old one. */
function isSame(one: jose.JWK.Key, another: jose.JWK.Key): boolean {
  return one === another || isDeepStrictEqual(one.toJSON(), another.toJSON());
}

/** `fetch` tells what happened in the cause alone. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return errorMessage(cause);
}

function keysNowhere(): ProcessError {
  return new ProcessError('RG_CONFIG', 'ROWGATE_IDP_ISSUER is no address that keys can come from', {
    hint: 'it must begin with https://; or say by ROWGATE_IDP_JWKS_URL where the keys are',
    exitCode: 2,
  });
}
