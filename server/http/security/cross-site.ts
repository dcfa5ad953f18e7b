import type { Request } from 'express';
import { Refusal } from '../answers/problem.ts';

/**
 * Whether a page of another site asks. Browsers say where a request comes from; programs say nothing.
 * @param origins those of web applications that may ask, e.g. `https://app.example.com`
 */
export function isCrossSite({ headers }: Request, origins: ReadonlySet<string>): boolean {
  const { origin } = headers;
  return origin === undefined ? headers['sec-fetch-site'] === 'cross-site' : !origins.has(origin);
}

/**
 * Refuses a request that a page of another site makes with the visitor's cookie.
 * @throws Refusal 403
 */
export function refuseCrossSite(request: Request, origins: ReadonlySet<string>): void {
  if (!isCrossSite(request, origins)) return;
  const page = request.headers.origin ?? 'another site';
  const detail = `a page of ${page} may not do this with the cookie of a session`;
  throw new Refusal({ status: 403, code: 'cross-site', detail });
}
