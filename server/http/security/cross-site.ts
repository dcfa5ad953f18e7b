import type { Request } from 'express';
import { Refusal } from '../answers/problem.ts';

/**
 * Returns true when a page of another site sends the request. Browsers send `Origin` or `Sec-Fetch-Site`; other programs
 * send neither and are not cross-site.
 * @param origins origins of the allowed web applications, e.g. `https://app.example.com`
 */
export function isCrossSite({ headers }: Request, origins: ReadonlySet<string>): boolean {
  const { origin } = headers;
  return origin === undefined ? headers['sec-fetch-site'] === 'cross-site' : !origins.has(origin);
}

/** Protects session cookies against CSRF. @throws Refusal 403 for a request from a page of another site */
export function refuseCrossSite(request: Request, origins: ReadonlySet<string>): void {
  if (!isCrossSite(request, origins)) return;
  const page = request.headers.origin ?? 'another site';
  const detail = `a page of ${page} may not do this with the cookie of a session`;
  throw new Refusal({ status: 403, code: 'cross-site', detail });
}
