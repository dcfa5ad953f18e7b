import * as client from 'openid-client';

/** The identifier of the API for which the provider issues access tokens. */
export const audience = 'https://api.example';
export const clientId = 'web-application';
export const redirectUri = 'https://app.example/callback';

/**
 * Signs a person in as a web application does, by the code flow. The simulated browser follows
 * redirects and stores cookies.
 */
export async function signInAt(
  issuer: string,
  subject: string,
): Promise<{ readonly accessToken: string; readonly idToken: string }> {
  const config = await client.discovery(new URL(issuer), clientId, undefined, client.None(), {
    execute: [client.allowInsecureRequests],
  });
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const start = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: 'openid api',
    resource: audience,
    login_hint: subject,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  });
  const callback = await follow(start, new Map());
  const tokens = await client.authorizationCodeGrant(config, callback, { pkceCodeVerifier });
  return { accessToken: tokens.access_token, idToken: tokens.id_token ?? '' };
}

/** Follows redirects until one leads to the application's own address, and returns that address. */
async function follow(url: URL, cookies: Map<string, string>): Promise<URL> {
  if (url.href.startsWith(redirectUri)) return url;
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
  for (const set of response.headers.getSetCookie()) {
    const [name = '', value = ''] = set.split(';')[0]?.split('=') ?? [];
    cookies.set(name, value);
  }
  return follow(new URL(response.headers.get('location') ?? '', url), cookies);
}
