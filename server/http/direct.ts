import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Express, Request, RequestHandler, Response } from 'express';
import type { AdmittedRequest } from '../caller/authenticate.ts';
import type { WithAnswerHeaders } from './answers/write-head.ts';
import { type AppOptions, answerFailure } from './app.ts';
import { makeFirstSteps, makeQuickStep } from './first-steps.ts';
import { makeRequestLog } from './request-log.ts';

/** A request that is answered without Express's router. */
export interface DirectRequest extends WithAnswerHeaders, AdmittedRequest {
  ip?: string | undefined;
  requestId?: string | undefined;
  body?: unknown;
  /** Why only queries and subscriptions may run; absent: all operations may run. */
  readonly readOnlyReason?: string;
}

/** Answers a request. */
export type DirectHandler = (request: DirectRequest, response: ServerResponse) => Promise<void>;

/** The frequent paths, which Express would find and answer more slowly. */
export interface DirectRoutes {
  /** Returns the handler of all methods of a path, which has no query; undefined when Express answers. */
  handlerAt(path: string): DirectHandler | undefined;
  /** Reads the session of requests with a session cookie; absent when this process accepts no sessions. */
  readonly readSession?: RequestHandler | undefined;
}

export interface ListenerOptions extends Pick<AppOptions, 'config' | 'logger'> {
  /** Answers all other paths. */
  readonly app: Express;
  /** Returns the direct routes; undefined while the server starts. */
  readonly direct: () => DirectRoutes | undefined;
}

/** Makes the listener of a server. Direct routes have the same first steps and the same request log as the Express app. */
export function makeListener({ app, direct, config, logger }: ListenerOptions): RequestListener {
  const firstSteps = makeFirstSteps(config);
  const quickStep = makeQuickStep(config);
  const logRequest = makeRequestLog({ logger, percent: config.loggedPercent });
  return (request: DirectRequest, response) => {
    const path = pathOf(request.url ?? '/');
    const routes = direct();
    const handler = routes?.handlerAt(path);
    if (!handler) return void app(request, response);
    const fail = (error: unknown) => answerFailure(error, response, logger);
    const answer = () => {
      logRequest(request, response, path);
      request.ip = addressOf(request, app);
      handler(request, response).catch(fail);
    };
    const readSession = request.headers.cookie === undefined ? undefined : routes?.readSession;
    try {
      if (!readSession && quickStep(request, path)) return answer();
      firstSteps(request, response, path, () => {
        if (!readSession) return answer();
        logRequest(request, response, path);
        answerWithSession(request, response, { app, readSession, handler, fail });
      });
    } catch (error) {
      fail(error);
    }
  };
}

interface WithSession {
  readonly app: Express;
  readonly readSession: RequestHandler;
  readonly handler: DirectHandler;
  readonly fail: (error: unknown) => void;
}

function answerWithSession(
  incoming: IncomingMessage,
  answer: ServerResponse,
  { app, readSession, handler, fail }: WithSession,
): void {
  const [request, response] = asExpress(app, incoming, answer);
  const reading = readSession(request, response, (error: unknown) => {
    if (error) fail(error);
    else handler(request, response).catch(fail);
  });
  Promise.resolve(reading).catch(fail);
}

/**
 * Returns the path of a request target as Express finds it, with its dot segments. A target in absolute form, as proxies
 * receive it, begins with a scheme and a host.
 */
function pathOf(target: string): string {
  const end = target.search(/[?#]/);
  const path = end < 0 ? target : target.slice(0, end);
  return path.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '');
}

/** Returns the address of the client as Express finds it, by the setting for trusted proxies. */
function addressOf({ headers, socket }: IncomingMessage, app: Express): string | undefined {
  // Without an address from a proxy, Express returns this one whatever the setting is.
  if (headers['x-forwarded-for'] === undefined) return socket.remoteAddress;
  const address: unknown = Reflect.get(app.request, 'ip', { app, headers, socket });
  return typeof address === 'string' ? address : undefined;
}

/** Gives a request and its response the properties of Express, which middleware expects. */
function asExpress(
  app: Express,
  incoming: IncomingMessage,
  answer: ServerResponse,
): readonly [Request, Response] {
  const request: Request = Object.setPrototypeOf(incoming, app.request);
  const response: Response = Object.setPrototypeOf(answer, app.response);
  request.res = response;
  response.req = request;
  return [request, response];
}
