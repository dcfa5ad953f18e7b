import type { ServerResponse } from 'node:http';
import express, { type Express, type Router } from 'express';
import type pino from 'pino';
import type { Config } from '../config/config.ts';
import { Refusal, sendProblem } from './answers/problem.ts';
import type { Endpoint } from './endpoint/define-endpoint.ts';
import { mountEndpoints } from './endpoint/mount.ts';
import { makeFirstSteps } from './first-steps.ts';
import { requestIdOf } from './request-id.ts';
import { makeRequestLog } from './request-log.ts';
import type { Phase } from './service-endpoints.ts';

export interface AppOptions {
  readonly config: Pick<Config, 'baseUrl' | 'headerPrefix' | 'callers' | 'loggedPercent'>;
  readonly logger: pino.Logger;
  readonly phase: () => Phase;
  /** Health and version endpoints. They answer while the server starts and are not logged. */
  readonly service: readonly Endpoint[];
  /** The routes of all features. They are used once the phase is no longer `starting`. */
  readonly routes: Router;
}

/** Makes the Express app: the first steps of all requests, health, the request log, the routes, and error answers. */
export function makeApp({ config, logger, phase, service, routes }: AppOptions): Express {
  const app = express();
  const firstSteps = makeFirstSteps(config);
  const logRequest = makeRequestLog({ logger, percent: config.loggedPercent });
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', config.callers.trustProxy);
  app.use((request, response, next) => firstSteps(request, response, request.path, next));
  app.use(mountEndpoints(service, 0));
  app.use((request, response, next) => {
    logRequest(request, response, request.path);
    next();
  });
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
  // Express recognises error handlers by their four parameters.
  app.use((error: unknown, _request: unknown, response: ServerResponse, _next: unknown) =>
    answerFailure(error, response, logger),
  );
  return app;
}

/**
 * Answers errors. For a mistake of the caller, the answer describes the mistake. The reason of any other failure is
 * only logged. An answer that has begun is aborted.
 */
export function answerFailure(error: unknown, response: ServerResponse, logger: pino.Logger): void {
  if (error instanceof Refusal && !response.headersSent) {
    sendProblem(response, error.problem);
    return;
  }
  const status = exposedStatus(error);
  if (status === undefined) {
    logger.error({ err: error, requestId: requestIdOf(response) }, 'unexpected error');
  }
  if (response.headersSent) return void response.destroy();
  const detail = status === undefined ? 'unexpected error' : (error as Error).message;
  const code = status === undefined ? 'unexpected' : 'bad-request';
  sendProblem(response, { status: status ?? 500, code, detail });
}

/** Returns the 4xx status of an error from Express or its parsers, whose message may be shown to the caller. */
function exposedStatus(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('status' in error) || typeof error.status !== 'number') {
    return undefined;
  }
  return error.status >= 400 && error.status < 500 ? error.status : undefined;
}
