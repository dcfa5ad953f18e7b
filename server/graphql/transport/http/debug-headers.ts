import type { Response } from 'express';
import type { Caller } from '../../../caller/authenticate.ts';

/** When the answer to a request began, for callers that see debugging headers. */
const begun = new WeakMap<Response, number>();

/** Names the role in the headers of the answer, for callers that may see it. */
export function debugHeaders(caller: Caller, response: Response): void {
  if (!caller.isDebugging) return;
  begun.set(response, performance.now());
  response.setHeader('x-rowgate-role', encodeURIComponent(caller.role.name));
  response.setHeader('x-rowgate-postgres-role', encodeURIComponent(caller.role.postgresName));
}

/** The milliseconds that the answer took, for a header; undefined for callers that see none. */
export function timeHeader(response: Response): string | undefined {
  const start = begun.get(response);
  return start === undefined ? undefined : (performance.now() - start).toFixed(1);
}
