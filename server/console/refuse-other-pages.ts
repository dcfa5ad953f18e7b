import type { Request } from 'express';
import { Refusal } from '../http/answers/problem.ts';

/**
 * Protects cookies against CSRF: only pages of this origin may use them. Browsers say so in `Sec-Fetch-Site` where they
 * trust the connection, and name the page in `Origin` elsewhere. The name in the address bar may differ from the base
 * URL, for example `localhost`, so the origin is compared with the header `Host`.
 * @throws Refusal 403
 */
export function refuseOtherPages({ headers }: Request): void {
  const { origin, host } = headers;
  const site = headers['sec-fetch-site'];
  const isOwn =
    site === undefined
      ? origin === undefined || URL.parse(origin)?.host === host
      : site === 'same-origin';
  if (isOwn) return;
  const detail = `a page of ${origin ?? 'another site'} may not use the session of the console`;
  throw new Refusal({ status: 403, code: 'cross-site', detail });
}
