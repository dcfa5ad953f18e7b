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

const header = 'X-Request-Id';

/** Sets the request id: the caller's `X-Request-Id` when it is acceptable, otherwise a new id. The answer repeats it. */
export function assignRequestId(
  request: IncomingMessage & { requestId?: string },
  response: ServerResponse,
): void {
  const given = request.headers['x-request-id'];
  const requestId = typeof given === 'string' && acceptableId.test(given) ? given : randomUUID();
  request.requestId = requestId;
  response.setHeader(header, requestId);
}

/** Returns the request id that an answer repeats. */
export function requestIdOf(response: ServerResponse): string {
  return String(response.getHeader(header));
}
