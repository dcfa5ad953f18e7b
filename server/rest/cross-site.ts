import type { Request } from 'express';
import { Refusal } from './problem.ts';

/**
 * Refuses a request that a page of another site makes with the visitor's cookie. Browsers say where a request comes
 * from; programs say nothing and pass.
 * @param origins those of web applications that may, e.g. `https://app.example.com`
 * @throws Refusal 403
 */
export function refuseCrossSite(request: Request, origins: ReadonlySet<string>): void {
  const origin = request.get('origin');
  if (origin === undefined ? isFromOwnSite(request.get('sec-fetch-site')) : origins.has(origin)) {
    return;
  }
  const detail = `a page of ${origin ?? 'another site'} may not do this with the cookie of a session`;
  throw new Refusal({ status: 403, code: 'cross-site', detail });
}

function isFromOwnSite(site: string | undefined): boolean {
  return site === undefined || site !== 'cross-site';
}
