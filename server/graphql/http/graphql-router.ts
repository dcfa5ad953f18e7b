import express, { type NextFunction, type Request, type Response, type Router } from 'express';
import type { Logger } from 'pino';
import { CallerError } from '../../context.ts';
import type { Json } from '../json.ts';
import { errorBody, RequestError } from '../request-error.ts';
import type { GraphqlRequest } from '../run/role-engine.ts';
import { parseBody, parseOperation } from './body.ts';

/** Answers the operations of one request, for whoever its headers say. */
export type Session = (request: GraphqlRequest) => Promise<string>;

export interface GraphqlRouterOptions {
  /** Tells who asks. @throws CallerError */
  readonly open: (request: Request) => Promise<Session>;
  readonly bodyBytes: number;
  readonly maxBatch: number;
  readonly logger: Logger;
}

/** `POST /v1/graphql`, which answers 200 for errors too, and `/v1alpha1/graphql`, which answers 400. */
export function makeGraphqlRouter(options: GraphqlRouterOptions): Router {
  const router = express.Router();
  const readBody = express.raw({ type: () => true, limit: options.bodyBytes });
  for (const { path, errorStatus } of ENDPOINTS) {
    const fail = (error: unknown, response: Response) =>
      send(response, errorStatus, errorBody(told(error, options.logger)));
    router
      .route(path)
      .post(readBody, async (request: Request, response: Response) => {
        try {
          const { text, failed } = await answer(request, options);
          send(response, failed ? errorStatus : 200, text);
        } catch (error) {
          fail(error, response);
        }
      })
      .all((_request, response) => {
        response.setHeader('allow', 'POST');
        send(
          response,
          405,
          errorBody(new RequestError('bad-request', 'only POST is allowed here')),
        );
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

const ENDPOINTS = [
  { path: '/v1/graphql', errorStatus: 200 },
  { path: '/v1alpha1/graphql', errorStatus: 400 },
] as const;

interface Answer {
  readonly text: string;
  readonly failed: boolean;
}

async function answer(request: Request, options: GraphqlRouterOptions): Promise<Answer> {
  const session = await options.open(request);
  if (!request.is(['application/json', 'application/*+json'])) {
    throw new RequestError('invalid-headers', 'the content type must be application/json');
  }
  const body = parseBody(Buffer.isBuffer(request.body) ? request.body : EMPTY, options.maxBatch);
  if (body.kind === 'single') return answerOne(session, body.element, options.logger);
  const answers: string[] = [];
  // One after the other: a later element may read what an earlier one wrote.
  for (const element of body.elements) {
    answers.push((await answerOne(session, element, options.logger)).text);
  }
  return { text: `[${answers.join(',')}]`, failed: false };
}

const EMPTY = Buffer.alloc(0);

async function answerOne(session: Session, element: Json, logger: Logger): Promise<Answer> {
  try {
    return { text: await session(parseOperation(element)), failed: false };
  } catch (error) {
    return { text: errorBody(told(error, logger)), failed: true };
  }
}

// What the client may know; the log gets the rest, without values.
function told(error: unknown, logger: Logger): RequestError {
  if (error instanceof CallerError) return new RequestError(error.code, error.message);
  if (error instanceof RequestError) {
    if (error.code === 'unexpected') logger.error({ err: error.cause }, error.message);
    return error;
  }
  logger.error({ err: error }, 'a GraphQL request failed unexpectedly');
  return new RequestError('unexpected', 'internal error');
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

// As a string, which leaves in one write with the head.
function send(response: Response, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'x-content-type-options': 'nosniff',
  });
  response.end(text);
}
