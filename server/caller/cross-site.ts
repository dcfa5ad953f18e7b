import { CallerError } from './authenticate.ts';
import type { CallerRequest } from './caller-request.ts';

/**
 * Returns true when a page of another site sends the request. Browsers send `Origin` or `Sec-Fetch-Site`; other
 * programs send neither header, so their requests are not cross-site.
 * @param origins origins of the allowed web applications, e.g. `https://app.example.com`
 */
export function isCrossSite(
  { headers }: Pick<CallerRequest, 'headers'>,
  origins: ReadonlySet<string>,
): boolean {
  const { origin } = headers;
  return origin === undefined ? headers['sec-fetch-site'] === 'cross-site' : !origins.has(origin);
}

/**
 * Protects cookies with credentials against CSRF, because any page can make a browser send them. Other credentials need
 * a header that a page may send only to servers that allow its origin.
 * @throws CallerError for a request from a page of another site
 */
export function refuseForeignCookie(request: CallerRequest, origins: ReadonlySet<string>): void {
  if (!isCrossSite(request, origins)) return;
  const page = request.headers.origin ?? 'another site';
  throw new CallerError(
    'access-denied',
    `a page of ${page} may not call with the cookie of a user`,
  );
}

/** Returns the origins whose pages are not cross-site: the configured origins and the origin of the server itself. */
export function pageOrigins(appOrigins: Iterable<string>, baseUrl: string): ReadonlySet<string> {
  return new Set([...appOrigins, new URL(baseUrl).origin]);
}
