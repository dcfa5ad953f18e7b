import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Express, Request, Response } from 'express';
import { assignRequestId } from '../request-id.ts';

/** Converts an `Upgrade` request, which bypasses Express, into an Express request with client address and request id. */
export function asUpgradeRequest(app: Express, incoming: IncomingMessage): Request {
  const request: Request = Object.setPrototypeOf(incoming, app.request);
  const response: Response = Object.setPrototypeOf(new ServerResponse(request), app.response);
  request.res = response;
  response.req = request;
  assignRequestId(request, response);
  return request;
}
