import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import type pino from 'pino';
import type { IdentityConfig } from './identity-config.ts';
import { assignRequestId, logRequests } from './request-log.ts';
import { Refusal, sendProblem } from './rest/problem.ts';
import { version } from './version.ts';

/** Where the process stands: requests are answered from `serving` on, and finished while `draining`. */
export type Phase = 'starting' | 'serving' | 'draining';

/** What the app asks of the process around it. */
export interface AppOptions {
  readonly logger: pino.Logger;
  /** Which proxies may say who a request comes from. */
  readonly trustProxy: IdentityConfig['trustProxy'];
  readonly phase: () => Phase;
  /** Why requests should go elsewhere, in sentences; empty where they should not. */
  readonly unreadiness: () => Promise<readonly string[]>;
  /** The routes of the features; called once the phase is no longer `starting`. */
  readonly routes: () => RequestHandler;
}

/** The HTTP application: ids, log lines, health, the features' routes, and an answer for everything else. */
export function makeApp({
  logger,
  trustProxy,
  phase,
  unreadiness,
  routes,
}: AppOptions): express.Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', trustProxy);
  app.use(assignRequestId);
  app.get('/healthz', (_request, response) => {
    const status = phase();
    response.status(status === 'serving' ? 200 : 503).json({ status });
  });
  app.get('/readyz', async (_request, response) => {
    const reasons = phase() === 'serving' ? await unreadiness() : [`the server is ${phase()}`];
    response.status(reasons.length === 0 ? 200 : 503).json({
      status: reasons.length === 0 ? 'ready' : 'not ready',
      reasons,
    });
  });
  app.get('/v1/version', (_request, response) => {
    response.json({ server_type: 'rowgate', version });
  });
  app.use(logRequests(logger));
  app.use((request, response, next) => {
    if (phase() !== 'starting') return routes()(request, response, next);
    const detail = 'the server is starting; try again in a moment';
    response.setHeader('Retry-After', '1');
    sendProblem(response, { status: 503, code: 'starting', detail });
  });
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
