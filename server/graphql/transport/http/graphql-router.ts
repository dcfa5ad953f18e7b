import express, { type NextFunction, type Request, type Response, type Router } from 'express';
import type { Logger } from 'pino';
import { boundUnfinished } from '../../../http/bound-unfinished.ts';
import { Refusal, sendProblem } from '../../../http/problem.ts';
import { saysOtherCharset } from '../../../http/read-body.ts';
import { whileAwaited } from '../../../http/while-awaited.ts';
import { type Answer, answerOperation, type Session, told } from '../../answer.ts';
import type { Json } from '../../json.ts';
import { errorBody, RequestError } from '../../request-error.ts';
import { parseBody } from './body.ts';
import { parseLink } from './link.ts';
import { sendAnswer, whenSent } from './send-answer.ts';

export interface GraphqlRouterOptions {
  /** Tells who asks; the response gets the headers that they may see. @throws CallerError */
  readonly open: (request: Request, response: Response) => Promise<Session>;
  readonly bodyBytes: number;
  readonly maxBatch: number;
  /** Default: those of Hasura's dialect. */
  readonly endpoints?: readonly Endpoint[];
  readonly logger: Logger;
}

/** Where operations are sent to, and the status of errors there. */
export interface Endpoint {
  readonly path: string;
  readonly errorStatus: 200 | 400;
}

/**
 * `/v1/graphql`, which answers 200 for errors too, and `/v1alpha1/graphql`, which answers 400: by POST, and by GET what
 * names a document that the server keeps. Both answer 503 where nothing could be done.
 */
export function makeGraphqlRouter(options: GraphqlRouterOptions): Router {
  const router = express.Router();
  const readBody = [
    boundUnfinished(options.bodyBytes),
    express.raw({ type: () => true, limit: options.bodyBytes }),
  ];
  for (const { path, errorStatus } of options.endpoints ?? ENDPOINTS) {
    const send = ({ text, error, retryAfter }: TimedAnswer, response: Response) => {
      if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter);
      sendAnswer(response, error ? statusOf(error, errorStatus) : 200, text);
    };
    const fail = (cause: unknown, response: Response) => {
      // Who asks cannot be told at the moment: not an answer to the operation, which somebody else may yet give.
      if (cause instanceof Refusal) return sendProblem(response, cause.problem);
      const error = told(cause, options.logger);
      send({ text: errorBody(error), error, retryAfter: error.retryAfter }, response);
    };
    router
      .route(path)
      .post(readBody, async (request: Request, response: Response) => {
        try {
          send(await runBody(request, response, options), response);
        } catch (error) {
          fail(error, response);
        }
      })
      .get(async (request: Request, response: Response, next: NextFunction) => {
        try {
          const element = parseLink(request);
          if (element === undefined) return next();
          // What is answered is for whoever asks, and may be other rows the next time.
          response.setHeader('cache-control', 'private, no-store');
          send(await runLink(element, request, response, options), response);
        } catch (error) {
          fail(error, response);
        }
      })
      .all((_request, response) => {
        response.setHeader('allow', 'GET, POST');
        sendAnswer(response, 405, errorBody(new RequestError('bad-request', otherMethod)));
      });
    // Express tells error handlers by their four parameters.
    router.use(
      path,
      (error: unknown, _request: Request, response: Response, _next: NextFunction) => {
        fail(bodyError(error, options.bodyBytes), response);
      },
    );
  }
  return router;
}

const otherMethod = 'only POST is allowed here, and GET for documents that the server knows';

const ENDPOINTS: readonly Endpoint[] = [
  { path: '/v1/graphql', errorStatus: 200 },
  { path: '/v1alpha1/graphql', errorStatus: 400 },
];

function statusOf({ code, retryAfter }: RequestError, errorStatus: number): number {
  // Programs between us and the client read no code, and may ask another server.
  if (code === 'unavailable') return 503;
  return retryAfter === undefined || errorStatus === 200 ? errorStatus : 429;
}

/** An answer, and the seconds after which to ask again where it was too much. */
interface TimedAnswer extends Answer {
  readonly retryAfter: number | undefined;
}

async function runLink(
  element: Json,
  request: Request,
  response: Response,
  { open, logger }: GraphqlRouterOptions,
): Promise<TimedAnswer> {
  const session = await open(request, response);
  const reading: Session = (operation) => session({ ...operation, isReadOnly: true });
  return withRetry(await answerOperation(reading, element, logger, awaitedBy(response)));
}

function awaitedBy(response: Response) {
  return { signal: whileAwaited(response, hungUp), whenSent: whenSent(response) };
}

const hungUp = () => new RequestError('bad-request', 'the client has hung up');

function withRetry(answer: Answer): TimedAnswer {
  return { ...answer, retryAfter: answer.error?.retryAfter };
}

async function runBody(
  request: Request,
  response: Response,
  options: GraphqlRouterOptions,
): Promise<TimedAnswer> {
  const session = await options.open(request, response);
  if (!request.is(['application/json', 'application/*+json'])) {
    throw new RequestError('invalid-headers', 'the content type must be application/json');
  }
  if (saysOtherCharset(request)) {
    throw new RequestError('invalid-headers', 'the request body must be in UTF-8');
  }
  const bytes = Buffer.isBuffer(request.body) ? request.body : EMPTY;
  const body = parseBody(bytes, options.maxBatch);
  const { logger } = options;
  const awaited = { ...awaitedBy(response), bytes: bytes.length };
  if (body.kind === 'single')
    return withRetry(await answerOperation(session, body.element, logger, awaited));
  const answers: Answer[] = [];
  // One after the other: a later element may read what an earlier one wrote.
  for (const element of body.elements) {
    awaited.signal.throwIfAborted();
    answers.push(await answerOperation(session, element, logger, awaited));
  }
  const waits = answers.flatMap(({ error }) => error?.retryAfter ?? []);
  return {
    text: `[${answers.map(({ text }) => text).join(',')}]`,
    // What was answered stands, whatever became of the others.
    error: answers.every(({ error }) => error?.code === 'unavailable')
      ? answers[0]?.error
      : undefined,
    retryAfter: waits.length > 0 ? Math.max(...waits) : undefined,
  };
}

const EMPTY = Buffer.alloc(0);

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
