import type { Response } from 'express';
import type { Caller } from '../../../caller/authenticate.ts';

/** When the answer to a request began, where whoever has asked wants to know. */
const begun = new WeakMap<Response, number>();

/** Says in the headers of the answer who asks, for callers that have the right to know. */
export function debugHeaders(caller: Caller, response: Response): void {
  if (!caller.isDebugging) return;
  begun.set(response, performance.now());
  response.setHeader('x-rowgate-role', encodeURIComponent(caller.role.name));
  response.setHeader('x-rowgate-postgres-role', encodeURIComponent(caller.role.postgresName));
}

/** The milliseconds that the answer took, for a header; undefined where nobody has asked. */
export function timeHeader(response: Response): string | undefined {
  const start = begun.get(response);
  return start === undefined ? undefined : (performance.now() - start).toFixed(1);
}
