import type { CallerRequest } from '../../caller/caller-request.ts';
import { isCrossSite } from '../../caller/cross-site.ts';
import { Refusal } from '../answers/problem.ts';

/** Protects session cookies against CSRF. @throws Refusal 403 for a request from a page of another site */
export function refuseCrossSite(
  request: Pick<CallerRequest, 'headers'>,
  origins: ReadonlySet<string>,
): void {
  if (!isCrossSite(request, origins)) return;
  const page = request.headers.origin ?? 'another site';
  const detail = `a page of ${page} may not do this with the cookie of a session`;
  throw new Refusal({ status: 403, code: 'cross-site', detail });
}
