import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type pino from 'pino';

// What others send lands in logs and headers: nothing that could start a new line or a field.
const acceptableId = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/;

/** Gives every request an id (`response.locals.requestId`): the caller's `X-Request-Id` if it is sane, else a new one. */
export function assignRequestId(request: Request, response: Response, next: NextFunction): void {
  const given = request.get('x-request-id');
  const id = given !== undefined && acceptableId.test(given) ? given : randomUUID();
  response.locals.requestId = id;
  response.setHeader('X-Request-Id', id);
  next();
}

/** One line a request, when it is over. The query string stays out, and headers unless the level is debug. */
export function logRequests(logger: pino.Logger): RequestHandler {
  return (request, response, next) => {
    const begun = performance.now();
    const { method, path } = request;
    response.once('close', () => {
      const fields = {
        requestId: response.locals.requestId,
        method,
        path,
        status: response.statusCode,
        ms: Math.round(performance.now() - begun),
        ...(logger.isLevelEnabled('debug') && { headers: request.headers }),
      };
      if (!response.writableFinished) logger.warn(fields, 'request aborted');
      else if (response.statusCode >= 500) logger.error(fields, 'request failed');
      else logger.info(fields, 'request');
    });
    next();
  };
}
