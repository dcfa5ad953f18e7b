import express, { type ErrorRequestHandler, type Router } from 'express';
import type pino from 'pino';
import type { Config } from '../config/config.ts';
import { Refusal, sendProblem } from './answers/problem.ts';
import type { Endpoint } from './endpoint/endpoint.ts';
import { mountEndpoints } from './endpoint/mount.ts';
import { assignRequestId, logRequests } from './request-log.ts';
import { allowOrigins } from './security/allow-origins.ts';
import { securityHeaders } from './security/security-headers.ts';
import type { Phase } from './service-endpoints.ts';

/** What the app asks of the process around it. */
export interface AppOptions {
  readonly config: Pick<Config, 'baseUrl' | 'headerPrefix' | 'callers'>;
  readonly logger: pino.Logger;
  readonly phase: () => Phase;
  /** Answered from the first moment on, and not logged. */
  readonly service: readonly Endpoint[];
  /** Those of the features; used once the phase is no longer `starting`. */
  readonly routes: Router;
}

/** The HTTP application: ids, log lines, health, the features' routes, and an answer for everything else. */
export function makeApp({ config, logger, phase, service, routes }: AppOptions): express.Express {
  const { baseUrl, headerPrefix, callers } = config;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', callers.trustProxy);
  app.use(assignRequestId);
  app.use(securityHeaders(baseUrl));
  app.use(allowOrigins(callers.appOrigins, headerPrefix));
  app.use(mountEndpoints(service, 0));
  app.use(logRequests(logger));
  app.use((_request, response, next) => {
    if (phase() !== 'starting') return next();
    const detail = 'the server is starting; try again in a moment';
    sendProblem(response, {
      status: 503,
      code: 'starting',
      detail,
      headers: { 'Retry-After': '1' },
    });
  });
  app.use(routes);
  app.use((request, response) => {
    const detail = `there is nothing at ${request.method} ${request.path}`;
    sendProblem(response, { status: 404, code: 'not-found', detail });
  });
  app.use(answerFailure(logger));
  return app;
}

/** Failures that a caller caused say what; of all others only the log knows the reason. */
function answerFailure(logger: pino.Logger): ErrorRequestHandler {
  return (error: unknown, _request, response, next) => {
    if (error instanceof Refusal && !response.headersSent) {
      return sendProblem(response, error.problem);
    }
    const status = exposedStatus(error);
    if (status === undefined) {
      logger.error({ err: error, requestId: response.locals.requestId }, 'unexpected error');
    }
    if (response.headersSent) return next(error);
    const detail = status === undefined ? 'unexpected error' : (error as Error).message;
    const code = status === undefined ? 'unexpected' : 'bad-request';
    sendProblem(response, { status: status ?? 500, code, detail });
  };
}

/** Status of an error that Express or its parsers made for the caller to see. */
function exposedStatus(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('status' in error) || typeof error.status !== 'number') {
    return undefined;
  }
  return error.status >= 400 && error.status < 500 ? error.status : undefined;
}
