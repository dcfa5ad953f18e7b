import express, { type ErrorRequestHandler, type Router } from 'express';
import type pino from 'pino';
import { credentialHeaders } from '../config/authentication/authentication-config.ts';
import type { Config } from '../config/config.ts';
import { Refusal, sendProblem } from './answers/problem.ts';
import type { Endpoint } from './endpoint/define-endpoint.ts';
import { mountEndpoints } from './endpoint/mount.ts';
import { assignRequestId, logRequests } from './request-log.ts';
import { allowOrigins } from './security/allow-origins.ts';
import { securityHeaders } from './security/security-headers.ts';
import type { Phase } from './service-endpoints.ts';

export interface AppOptions {
  readonly config: Pick<Config, 'baseUrl' | 'headerPrefix' | 'callers'>;
  readonly logger: pino.Logger;
  readonly phase: () => Phase;
  /** Health and version endpoints. They answer while the server starts and are not logged. */
  readonly service: readonly Endpoint[];
  /** The routes of all features. They are used once the phase is no longer `starting`. */
  readonly routes: Router;
}

/** Makes the Express app: request ids, security headers, health, the request log, the routes, and error answers. */
export function makeApp({ config, logger, phase, service, routes }: AppOptions): express.Express {
  const { baseUrl, headerPrefix, callers } = config;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', callers.trustProxy);
  app.use(assignRequestId);
  app.use(securityHeaders(baseUrl));
  const { appOrigins, authentication } = callers;
  app.use(allowOrigins(appOrigins, [`${headerPrefix}Role`, ...credentialHeaders(authentication)]));
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

/**
 * Answers errors. For a mistake of the caller, the answer describes the mistake. The reason of any other failure is
 * only logged.
 */
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

/** Returns the 4xx status of an error from Express or its parsers, whose message may be shown to the caller. */
function exposedStatus(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('status' in error) || typeof error.status !== 'number') {
    return undefined;
  }
  return error.status >= 400 && error.status < 500 ? error.status : undefined;
}
