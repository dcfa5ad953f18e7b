import express, { type NextFunction, type Request, type Response, type Router } from 'express';
import type { Logger } from 'pino';
import { Refusal, sendProblem } from '../../../http/answers/problem.ts';
import { boundUnfinished } from '../../../http/endpoint/bound-unfinished.ts';
import { toClientError } from '../../errors/to-client-error.ts';
import { type Answer, type Dialect, handleRequest } from '../../handle-request.ts';
import { errorBody, RequestError } from '../../request-error.ts';
import { HttpRequest } from './http-request.ts';
import { parseLink } from './link.ts';
import { sendAnswer } from './send-answer.ts';

export interface GraphqlRouterOptions {
  /** Returns the dialect that is served currently. */
  readonly dialect: () => Dialect;
  readonly endpoints: readonly Endpoint[];
  readonly bodyBytes: number;
  readonly maxBatch: number;
  readonly logger: Logger;
}

/** A path for operations, and its HTTP status for errors. */
export interface Endpoint {
  readonly path: string;
  readonly errorStatus: 200 | 400;
  /** A header that a client must not send, and the reason. */
  readonly refused?: { readonly header: string; readonly reason: string };
}

/**
 * The endpoints of Hasura's dialect: `/v1/graphql` answers errors with status 200, `/v1alpha1/graphql` with status 400.
 */
export const hasuraEndpoints: readonly Endpoint[] = [
  { path: '/v1/graphql', errorStatus: 200 },
  { path: '/v1alpha1/graphql', errorStatus: 400 },
];

/**
 * Answers operations by POST, and by GET if they refer to a document that the server knows. The status is 503 when no
 * operation could run.
 */
export function makeGraphqlRouter(options: GraphqlRouterOptions): Router {
  const router = express.Router();
  const { endpoints, bodyBytes } = options;
  const readBody = [
    boundUnfinished(bodyBytes),
    express.raw({ type: () => true, limit: bodyBytes }),
  ];
  for (const endpoint of endpoints) {
    const { post, get, fail } = handlersOf(endpoint, options);
    router.route(endpoint.path).post(readBody, post).get(get).all(refuseMethod);
    // Express recognises error handlers by their four parameters.
    router.use(
      endpoint.path,
      (error: unknown, _request: Request, response: Response, _next: NextFunction) => {
        fail(bodyError(error, bodyBytes), response);
      },
    );
  }
  return router;
}

function handlersOf(endpoint: Endpoint, { dialect, maxBatch, logger }: GraphqlRouterOptions) {
  const fail = (cause: unknown, response: Response) => {
    // The server currently cannot identify callers, but another instance may be able to.
    if (cause instanceof Refusal) return sendProblem(response, cause.problem);
    const error = toClientError(cause, logger);
    send(response, { text: errorBody(error), error, retryAfter: error.retryAfter }, endpoint);
  };
  const answer = async (request: HttpRequest, response: Response) => {
    refuseHeader(request.http, endpoint);
    const answers = await handleRequest(request, dialect());
    send(response, request.isBatch ? ofBatch(answers) : ofSingle(answers), endpoint);
  };
  const post = async (http: Request, response: Response) => {
    try {
      await answer(new HttpRequest({ http, response, maxBatch }), response);
    } catch (error) {
      fail(error, response);
    }
  };
  const get = async (http: Request, response: Response, next: NextFunction) => {
    try {
      const link = parseLink(http);
      if (link === undefined) return next();
      // The answer depends on the caller and on the time, so no cache may store it.
      response.setHeader('cache-control', 'private, no-store');
      await answer(new HttpRequest({ http, response, maxBatch, link }), response);
    } catch (error) {
      fail(error, response);
    }
  };
  return { post, get, fail };
}

function refuseMethod(_request: Request, response: Response): void {
  response.setHeader('allow', 'GET, POST');
  sendAnswer(response, 405, errorBody(new RequestError('bad-request', otherMethod)));
}

const otherMethod = 'only POST is allowed here, and GET for documents that the server knows';

/** An answer, and the seconds after which a client with too many requests may try again. */
interface TimedAnswer extends Answer {
  readonly retryAfter: number | undefined;
}

function ofSingle([answer]: readonly Answer[]): TimedAnswer {
  if (answer) return { ...answer, retryAfter: answer.error?.retryAfter };
  throw new Error('an operation has no answer');
}

function ofBatch(answers: readonly Answer[]): TimedAnswer {
  const waits = answers.flatMap(({ error }) => error?.retryAfter ?? []);
  return {
    text: `[${answers.map(({ text }) => text).join(',')}]`,
    // The batch fails as a whole only when every operation was unavailable.
    error: answers.every(({ error }) => error?.code === 'unavailable')
      ? answers[0]?.error
      : undefined,
    retryAfter: waits.length > 0 ? Math.max(...waits) : undefined,
  };
}

function send(response: Response, { text, error, retryAfter }: TimedAnswer, endpoint: Endpoint) {
  if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter);
  sendAnswer(response, error ? statusOf(error, endpoint.errorStatus) : 200, text);
}

function statusOf({ code, retryAfter }: RequestError, errorStatus: number): number {
  // Load balancers do not read error codes; a 503 lets them try another instance.
  if (code === 'unavailable') return 503;
  return retryAfter === undefined || errorStatus === 200 ? errorStatus : 429;
}

function refuseHeader(http: Request, { refused }: Endpoint): void {
  if (refused === undefined || http.get(refused.header) === undefined) return;
  throw new RequestError('not-supported', refused.reason);
}

function bodyError(error: unknown, bodyBytes: number): unknown {
  const { type, status } = error as { readonly type?: unknown; readonly status?: unknown };
  if (type === 'entity.too.large') {
    const message = `the request body is larger than ${bodyBytes} bytes`;
    return new RequestError('body-limit-exceeded', message);
  }
  if (type === 'encoding.unsupported') {
    return new RequestError('invalid-headers', 'the content encoding is not supported');
  }
  if (status !== 400) return error;
  return new RequestError('bad-request', 'the request body cannot be read', '$', error);
}
