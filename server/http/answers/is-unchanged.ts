import type { Request, Response } from 'express';

/**
 * Whether the client of a GET or HEAD has what the answer's `ETag` and `Last-Modified` speak of, so that 304 is enough.
 * A tag decides before a time. `Cache-Control` of the request is for caches on the way (Express's `request.fresh`
 * would send everything again, and browsers' fetch says `no-cache` whenever a page sets If-None-Match by itself).
 */
export function isUnchanged(request: Request, response: Response): boolean {
  const held = request.get('If-None-Match');
  if (held !== undefined) return names(held, response.get('ETag'));
  const since = Date.parse(request.get('If-Modified-Since') ?? '');
  return Date.parse(response.get('Last-Modified') ?? '') <= since;
}

function names(held: string, tag: string | undefined): boolean {
  if (tag === undefined) return false;
  const tags = held.split(',').map((one) => strong(one.trim()));
  return held.trim() === '*' || tags.includes(strong(tag));
}

/** 304 does not ask for more than that the content means the same. */
function strong(tag: string): string {
  return tag.replace(/^W\//, '');
}
