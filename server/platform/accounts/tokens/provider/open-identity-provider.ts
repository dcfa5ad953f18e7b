import { isDeepStrictEqual } from 'node:util';
import type jose from 'node-jose';
import type pino from 'pino';
import { type Discovered, discover, discoveryUrl } from '../../../../caller/jwt/keys/discovery.ts';
import { fetchKeySet, selectKey } from '../../../../caller/jwt/keys/key-set.ts';
import { RefreshedValue } from '../../../../caller/jwt/keys/refreshed-value.ts';
import { TokenError } from '../../../../caller/jwt/token-error.ts';
import { errorMessage, ProcessError } from '../../../../errors.ts';
import type { IdentityProviderConfig } from '../../../config/identity-config.ts';
import type { IdentityProvider } from './identity-provider.ts';

/**
 * Opens the identity provider. Its keys and discovery document are fetched at their first use and refreshed in the
 * background. While the provider does not answer, the last fetched ones are used for up to a day.
 * @throws ProcessError RG_CONFIG (exit 2) when the settings do not determine the location of the keys
 */
export function openIdentityProvider(
  settings: IdentityProviderConfig,
  logger: pino.Logger,
): IdentityProvider {
  const url = discoveryUrl(settings.issuer);
  if (url === undefined && settings.jwksUrl === undefined) throw noKeyAddress();
  const warn = (subject: string) => (error: unknown) =>
    logger.warn({ reason: reasonOf(error) }, `cannot read the identity provider's ${subject}`);
  const discovery = new RefreshedValue<Discovered>({
    load: async (signal) => (url === undefined ? {} : discover(settings.issuer, url, signal)),
    onFailure: warn('discovery document'),
  });
  const keys = new RefreshedValue<jose.JWK.KeyStore>({
    load: async (signal) => (await fetchKeySet(await keysUrl(settings, discovery), signal)).store,
    onFailure: warn('keys'),
  });
  return {
    settings,
    keyFor: async (kid, algorithm) => {
      const known = selectKey(await keys.get(), kid, algorithm);
      const key = known ?? selectKey(await keys.renew(), kid, algorithm);
      if (key) return key;
      // When the last fetch has failed, the key may exist at the provider. The caller then gets a temporary error,
      // because the token may be valid.
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
  discovery: RefreshedValue<Discovered>,
): Promise<string> {
  if (jwksUrl !== undefined) return jwksUrl;
  const discovered = await discovery.get();
  if (discovered === undefined) throw new Error('its discovery document cannot be fetched');
  if (discovered.jwksUrl !== undefined) return discovered.jwksUrl;
  throw new Error('its discovery document names no jwks_uri that is https');
}

/** Compares two keys by value, because each fetched key set has new objects for the same keys. */
function isSame(one: jose.JWK.Key, another: jose.JWK.Key): boolean {
  return one === another || isDeepStrictEqual(one.toJSON(), another.toJSON());
}

/** Returns the message of the error's cause if it has one: an error of `fetch` has its reason only in the cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return errorMessage(cause);
}

function noKeyAddress(): ProcessError {
  return new ProcessError('RG_CONFIG', 'ROWGATE_IDP_ISSUER is not an address to fetch keys from', {
    hint: 'it must begin with https://, or ROWGATE_IDP_JWKS_URL must be set to the address of the keys',
    exitCode: 2,
  });
}
