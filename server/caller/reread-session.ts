import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import type { CallerRequest } from './caller-request.ts';

/**
 * Returns a request as if it arrived now: a copy whose session is read again, because it may have ended. Without sessions
 * nothing changes, so it is the request itself.
 * @param readSession reads the session of requests that carry its cookie; absent when there are no sessions
 */
export async function rereadSession<T extends CallerRequest & IncomingMessage>(
  given: T,
  readSession: RequestHandler | undefined,
): Promise<T> {
  if (!readSession) return given;
  // Each copy is a separate object, because handlers store the session in it. They skip requests that have one already.
  const own = { value: undefined, writable: true, configurable: true };
  const request: T & Request = Object.create(given, { session: own, sessionID: { ...own } });
  await runWithoutResponse(readSession, request);
  return request;
}

function runWithoutResponse(handler: RequestHandler, request: Request): Promise<void> {
  const response = new ServerResponse(request) as Response;
  return new Promise((resolve, reject) => {
    void handler(request, response, (error: unknown) => (error ? reject(error) : resolve()));
  });
}
