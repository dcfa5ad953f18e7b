import type { IdentityProviderConfig } from '../../config/identity-config.ts';

/** The part of the identity provider that the logout uses. */
export interface LogoutProvider {
  readonly settings: Pick<IdentityProviderConfig, 'logoutUrl' | 'clientId'>;
  /** Returns the configured URL, or the URL in the discovery document; undefined without either. */
  logoutUrl(): Promise<string | undefined>;
}

/** Makes the URL that ends the session at the provider; undefined when the provider has no such URL. */
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
    // The name of the parameter with the target after the logout. OpenID Connect RP-Initiated Logout 1.0 defines the
    // first name, for URLs from a discovery document. A configured URL usually belongs to a provider that uses the
    // second name.
    const parameter = logoutUrl === undefined ? 'post_logout_redirect_uri' : 'returnTo';
    url.searchParams.set(parameter, returnTo);
  }
  return url.href;
}
