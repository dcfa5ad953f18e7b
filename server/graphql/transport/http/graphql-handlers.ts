import type { ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { Refusal, sendProblem } from '../../../http/answers/problem.ts';
import type { DirectHandler, DirectRequest } from '../../../http/direct.ts';
import { BodyError, makeBodyReader } from '../../../http/endpoint/read-bytes.ts';
import { recordFailure } from '../../../http/request-log.ts';
import { decodeAnswer } from '../../answer-text.ts';
import { toClientError } from '../../errors/to-client-error.ts';
import { type Answer, type Dialect, handleRequest } from '../../handle-request.ts';
import { type Json, parseJson } from '../../json.ts';
import { errorBody, RequestError } from '../../request-error.ts';
import { isSubscription, startOperation } from '../../subscriptions/start-operation.ts';
import type { Subscriptions } from '../../subscriptions/subscriptions.ts';
import type { Backlog } from '../websocket/backlog.ts';
import { acceptsStream, EventStream } from './event-stream.ts';
import { explain } from './explain-handler.ts';
import { HttpRequest } from './http-request.ts';
import { parseLink } from './link.ts';
import { sendAnswer } from './send-answer.ts';

export interface GraphqlHandlersOptions {
  /** Returns the dialect that is served currently. */
  readonly dialect: () => Dialect;
  readonly endpoints: readonly Endpoint[];
  readonly bodyBytes: number;
  readonly maxBatch: number;
  readonly subscriptions: Subscriptions;
  /** Reads the session of requests that carry its cookie; absent when there are no sessions. */
  readonly readSession: RequestHandler | undefined;
  /** Milliseconds between two comments in an event stream. */
  readonly keepAliveMs: number;
  /** Bounds the bytes of all event streams that their clients have not read. */
  readonly backlog: Backlog;
  readonly logger: Logger;
}

/** A path for operations, and its HTTP status for errors. */
export interface Endpoint {
  readonly path: string;
  readonly errorStatus: 200 | 400;
  /** Whether answers may be event streams, so that subscriptions are possible. */
  readonly streams?: true;
  /** Whether queries are explained instead of run. */
  readonly explains?: true;
  /** A header that a client must not send, in lower case, and the reason. */
  readonly refused?: { readonly header: string; readonly reason: string };
}

/**
 * The endpoints of Hasura's dialect: `/v1/graphql` answers errors with status 200, the others with status 400.
 */
export const hasuraEndpoints: readonly Endpoint[] = [
  { path: '/v1/graphql', errorStatus: 200, streams: true },
  { path: '/v1alpha1/graphql', errorStatus: 400, streams: true },
  { path: '/v1/graphql/explain', errorStatus: 400, explains: true },
];

/**
 * Makes the handlers of the endpoints by path. They answer operations by POST, and by GET if they refer to a document that
 * the server knows. The status is 503 when no operation could run.
 */
export function makeGraphqlHandlers(
  options: GraphqlHandlersOptions,
): ReadonlyMap<string, DirectHandler> {
  const { endpoints, bodyBytes, maxBatch, dialect, logger } = options;
  const readBody = makeBodyReader(bodyBytes);
  const answer = async (http: DirectRequest, response: ServerResponse, endpoint: Endpoint) => {
    const isPost = http.method === 'POST';
    const link = isPost || endpoint.explains ? undefined : linkOf(http);
    if (!isPost && link === undefined) return refuseMethod(response);
    // The answer depends on the caller and on the time, so no cache may store it.
    if (link !== undefined) response.setHeader('cache-control', 'private, no-store');
    const body = isPost ? await readBody(http, response) : undefined;
    http.body = body;
    if (endpoint.explains) {
      const json = parseJson((body ?? '').toString(), 'the request body');
      return sendAnswer(response, 200, await explain(http, response, json, dialect()));
    }
    const request = new HttpRequest({ http, response, maxBatch, link, body });
    refuseHeader(http, endpoint);
    const stream = endpoint.streams && !isBatch(body) ? acceptsStream(http) : 'no';
    if (stream !== 'no') {
      const started = await startOperation(request, dialect());
      const events = new EventStream({ ...options, http, response });
      if (isSubscription(started)) return events.subscribe(started);
      if (started.error) recordFailure(response);
      if (stream === 'only') return events.answer(started);
      return send(response, ofSingle([started]), endpoint);
    }
    const answers = await handleRequest(request, dialect());
    if (answers.some(({ error }) => error)) recordFailure(response);
    send(response, request.isBatch ? ofBatch(answers) : ofSingle(answers), endpoint);
  };
  const handlers = endpoints.map((endpoint) => {
    const handler: DirectHandler = async (http, response) => {
      try {
        await answer(http, response, endpoint);
      } catch (error) {
        const cause = error instanceof BodyError ? bodyError(error, bodyBytes) : error;
        const isStream = endpoint.streams && acceptsStream(http) === 'only';
        if (!isStream || cause instanceof Refusal) return fail(cause, response, endpoint, logger);
        recordFailure(response);
        const requestError = toClientError(cause, logger);
        const events = new EventStream({ ...options, http, response });
        events.answer({ text: errorBody(requestError), error: requestError });
      }
    };
    return [endpoint.path, handler] as const;
  });
  return new Map(handlers);
}

function fail(cause: unknown, response: ServerResponse, endpoint: Endpoint, logger: Logger): void {
  // The server currently cannot identify callers, but another instance may be able to.
  if (cause instanceof Refusal) {
    sendProblem(response, cause.problem);
    return;
  }
  recordFailure(response);
  const error = toClientError(cause, logger);
  send(response, { text: errorBody(error), error, retryAfter: error.retryAfter }, endpoint);
}

/** Returns true if a body begins like a JSON array. */
function isBatch(body: Buffer | undefined): boolean {
  return body?.subarray(0, 100).toString('latin1').trimStart().startsWith('[') === true;
}

function refuseMethod(response: ServerResponse): void {
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
    text: `[${answers.map(({ text }) => decodeAnswer(text)).join(',')}]`,
    // The batch fails as a whole only when every operation was unavailable.
    error: answers.every(({ error }) => error?.code === 'unavailable')
      ? answers[0]?.error
      : undefined,
    retryAfter: waits.length > 0 ? Math.max(...waits) : undefined,
  };
}

function send(
  response: ServerResponse,
  { text, error, retryAfter }: TimedAnswer,
  endpoint: Endpoint,
): void {
  if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter);
  sendAnswer(response, error ? statusOf(error, endpoint.errorStatus) : 200, text);
}

function statusOf({ code, retryAfter }: RequestError, errorStatus: number): number {
  // Load balancers do not read error codes; a 503 lets them try another instance.
  if (code === 'unavailable') return 503;
  return retryAfter === undefined || errorStatus === 200 ? errorStatus : 429;
}

function refuseHeader({ headers }: DirectRequest, { refused }: Endpoint): void {
  if (refused === undefined || headers[refused.header] === undefined) return;
  throw new RequestError('not-supported', refused.reason);
}

function linkOf(http: DirectRequest): Json | undefined {
  return http.method === 'GET' || http.method === 'HEAD' ? parseLink(http) : undefined;
}

function bodyError(error: BodyError, bodyBytes: number): RequestError {
  switch (error.problem) {
    case 'too-large': {
      const message = `the request body is larger than ${bodyBytes} bytes`;
      return new RequestError('body-limit-exceeded', message);
    }
    case 'unknown-encoding':
      return new RequestError('invalid-headers', 'the content encoding is not supported');
    case 'unreadable':
      return new RequestError('bad-request', 'the request body cannot be read', '$', error);
  }
}
