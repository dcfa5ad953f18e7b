import type { ServerResponse } from 'node:http';
import type { Caller } from '../../../caller/authenticate.ts';

/** The start times of requests, by response. Contains only requests whose callers get debugging headers. */
const begun = new WeakMap<ServerResponse, number>();

/** Adds response headers with the names of the role, if the caller requested debugging headers and may receive them. */
export function debugHeaders(caller: Caller, response: ServerResponse): void {
  if (!caller.isDebugging) return;
  begun.set(response, performance.now());
  response.setHeader('x-rowgate-role', encodeURIComponent(caller.role.name));
  response.setHeader('x-rowgate-postgres-role', encodeURIComponent(caller.role.postgresName));
}

/** Returns the milliseconds since the start as a header value; undefined for callers without debugging headers. */
export function timeHeader(response: ServerResponse): string | undefined {
  const start = begun.get(response);
  return start === undefined ? undefined : (performance.now() - start).toFixed(1);
}
