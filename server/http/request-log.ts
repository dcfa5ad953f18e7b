import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type pino from 'pino';

// Request ids of callers appear in logs and headers, so they must not contain line ends or separators.
const acceptableId = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/;

/**
 * Sets the request id (`response.locals.requestId`): the caller's `X-Request-Id` when it is acceptable, otherwise a new
 * id.
 */
export function assignRequestId(request: Request, response: Response, next: NextFunction): void {
  const given = request.get('x-request-id');
  const id = given !== undefined && acceptableId.test(given) ? given : randomUUID();
  response.locals.requestId = id;
  response.setHeader('X-Request-Id', id);
  next();
}

/** Logs one line per request when it ends. The line has no query string, and headers only at level debug. */
export function logRequests(logger: pino.Logger): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now();
    const { method, path } = request;
    response.once('close', () => {
      const fields = {
        requestId: response.locals.requestId,
        method,
        path,
        status: response.statusCode,
        ms: Math.round(performance.now() - startedAt),
        ...(logger.isLevelEnabled('debug') && { headers: request.headers }),
      };
      if (!response.writableFinished) logger.warn(fields, 'request aborted');
      else if (response.statusCode >= 500) logger.error(fields, 'request failed');
      else logger.info(fields, 'request');
    });
    next();
  };
}
