import type { Request, Response } from 'express';

/**
 * Returns true when the client of a GET or HEAD already has the current version, so that status 304 is sufficient.
 * `If-None-Match` takes precedence over `If-Modified-Since`. The request's `Cache-Control` is ignored, unlike in
 * Express's `request.fresh`: when a page sets `If-None-Match`, `fetch` of browsers also sends `no-cache`.
 */
export function isUnchanged(request: Request, response: Response): boolean {
  const held = request.get('If-None-Match');
  if (held !== undefined) return names(held, response.get('ETag'));
  const since = Date.parse(request.get('If-Modified-Since') ?? '');
  return Date.parse(response.get('Last-Modified') ?? '') <= since;
}

function names(held: string, tag: string | undefined): boolean {
  if (tag === undefined) return false;
  const tags = held.split(',').map((one) => withoutWeakMark(one.trim()));
  return held.trim() === '*' || tags.includes(withoutWeakMark(tag));
}

/** Removes the mark of a weak tag. A weak match is sufficient for 304 (RFC 9110). */
function withoutWeakMark(tag: string): string {
  return tag.replace(/^W\//, '');
}
