import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import type { CallerRequest } from './caller-request.ts';

/**
 * Returns a copy of a request as if it arrived now. The session of its cookie is read again, because it may have ended.
 * @param readSession reads the session of requests that carry its cookie; absent when there are no sessions
 */
export async function rereadSession<T extends CallerRequest & IncomingMessage>(
  given: T,
  readSession: RequestHandler | undefined,
): Promise<T> {
  // Each copy is a separate object, because handlers store the session in it. They skip requests that have one already.
  const own = { value: undefined, writable: true, configurable: true };
  const request: T & Request = Object.create(given, { session: own, sessionID: { ...own } });
  if (readSession) await runWithoutResponse(readSession, request);
  return request;
}

function runWithoutResponse(handler: RequestHandler, request: Request): Promise<void> {
  const response = new ServerResponse(request) as Response;
  return new Promise((resolve, reject) => {
    void handler(request, response, (error: unknown) => (error ? reject(error) : resolve()));
  });
}
