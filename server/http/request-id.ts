import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

declare global {
  // The name is Express's.
  namespace Express {
    interface Request {
      /** The id of the request in the log. */
      requestId?: string;
    }
  }
}

// Request ids of callers appear in logs and headers, so they must not contain line ends or separators.
const acceptableId = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/;

/** The header with the request id, of requests and answers. */
export const requestIdHeader = 'X-Request-Id';

/** A request that may have an id. */
interface Identified extends IncomingMessage {
  requestId?: string | undefined;
}

/** Sets the request id: the caller's `X-Request-Id` when it is acceptable, otherwise a new id. The answer repeats it. */
export function assignRequestId(request: Identified, response: ServerResponse): void {
  response.setHeader(requestIdHeader, identify(request));
}

/** Sets and returns the request id. The answer must repeat it. */
export function identify(request: Identified): string {
  const given = request.headers['x-request-id'];
  const requestId = typeof given === 'string' && acceptableId.test(given) ? given : randomUUID();
  request.requestId = requestId;
  return requestId;
}

/** Returns the request id that an answer repeats. */
export function requestIdOf({ req }: Pick<ServerResponse<Identified>, 'req'>): string {
  return String(req.requestId);
}
