import type { IdentityProviderConfig } from '../../config/identity-config.ts';

/** What logging out needs to know of the provider. */
export interface LogoutProvider {
  readonly settings: Pick<IdentityProviderConfig, 'logoutUrl' | 'clientId'>;
  /** The configured one, or that of the discovery document; undefined where there is neither. */
  logoutUrl(): Promise<string | undefined>;
}

/** Where the provider ends its own session; undefined where it does not tell. */
export async function providerLogoutUrl(
  provider: LogoutProvider,
  returnTo: string | undefined,
): Promise<string | undefined> {
  const { logoutUrl, clientId } = provider.settings;
  const found = await provider.logoutUrl();
  if (found === undefined) return undefined;
  const url = new URL(found);
  if (clientId !== undefined) url.searchParams.set('client_id', clientId);
  if (returnTo !== undefined) {
    // What a discovery document names is OpenID's (RP-Initiated Logout 1.0); of others, this is the usual name.
    const parameter = logoutUrl === undefined ? 'post_logout_redirect_uri' : 'returnTo';
    url.searchParams.set(parameter, returnTo);
  }
  return url.href;
}
