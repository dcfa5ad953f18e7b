import type { JsonObject } from '../json-object.ts';
import { fetchJson } from './fetch-json.ts';

/** The endpoints in a provider's discovery document. */
export interface Discovered {
  readonly jwksUrl?: string;
  readonly authorizationEndpoint?: string;
  readonly tokenEndpoint?: string;
  readonly endSessionEndpoint?: string;
}

/** Returns the URL of an issuer's discovery document; undefined when the URL is not trustworthy. */
export function discoveryUrl(issuer: string): string | undefined {
  return isTrustworthy(issuer)
    ? [issuer.replace(/\/$/, ''), '.well-known/openid-configuration'].join('/')
    : undefined;
}

/** Fetches a discovery document (OpenID Connect Discovery 1.0, 4.3). Rejects when it names another issuer. */
export async function discover(
  issuer: string,
  url: string,
  signal: AbortSignal,
): Promise<Discovered> {
  const document = await fetchJson(url, signal);
  if (document.issuer !== issuer) {
    throw new Error(`${url} is about another issuer than the configured one`);
  }
  return {
    ...endpoint('jwksUrl', document, 'jwks_uri'),
    ...endpoint('authorizationEndpoint', document, 'authorization_endpoint'),
    ...endpoint('tokenEndpoint', document, 'token_endpoint'),
    ...endpoint('endSessionEndpoint', document, 'end_session_endpoint'),
  };
}

function endpoint<Name extends keyof Discovered>(
  name: Name,
  document: JsonObject,
  member: string,
): { readonly [name in Name]?: string } {
  const url = document[member];
  if (typeof url !== 'string' || !isTrustworthy(url)) return {};
  return { [name]: url } as { readonly [name in Name]: string };
}

/**
 * Returns true for https, and for http on this machine. With http to another machine, an attacker on the network could
 * replace the keys.
 */
function isTrustworthy(text: string): boolean {
  const url = URL.parse(text);
  if (url?.protocol === 'https:') return true;
  return url?.protocol === 'http:' && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
}
