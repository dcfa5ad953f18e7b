import type { Logger } from 'pino';
import { CallerError } from '../caller/authenticate.ts';
import { operatorHint } from '../db/operator-hint.ts';
import { Refusal } from '../http/problem.ts';
import type { Json } from './json.ts';
import { parseOperation } from './request/parse-operation.ts';
import type { GraphqlRequest } from './request/request.ts';
import { errorBody, RequestError, unavailable } from './request-error.ts';

/** Runs operations for one caller; the text of a response that has data. @throws RequestError, CallerError */
export type Session = (request: GraphqlRequest) => Promise<string>;

/** The text of a response, with data or with what is wrong. */
export interface Answer {
  readonly text: string;
  /** What the text says is wrong. */
  readonly error: RequestError | undefined;
}

/** What the transport of an operation knows of it. */
export type Awaited = Pick<GraphqlRequest, 'signal' | 'whenSent' | 'bytes'>;

/** Runs one operation as a client sent it, however it came. */
export async function answerOperation(
  session: Session,
  element: Json,
  logger: Logger,
  awaited: Awaited,
): Promise<Answer> {
  try {
    return { text: await session({ ...parseOperation(element), ...awaited }), error: undefined };
  } catch (cause) {
    const error = told(cause, logger);
    return { text: errorBody(error), error };
  }
}

/** What is no fault of the client's. */
const ours: ReadonlySet<string> = new Set(['unavailable', 'outcome-unknown', 'unexpected']);

/** What the client may know of a failure; the log gets the rest, without values. */
export function told(error: unknown, logger: Logger): RequestError {
  if (error instanceof CallerError) return new RequestError(error.code, error.message);
  if (error instanceof RequestError) {
    const { cause, code, message, extensions } = error;
    // A request that was refused for others has no cause to log; one caller could fill the log with them.
    const isBusy = code === 'unavailable' && cause === undefined;
    // Handlers and plugins say what they refuse to the client alone; whatever else fails there is in the log already.
    const isRefusal = extensions !== undefined;
    if (ours.has(code) && !isBusy && !isRefusal)
      logger.error({ err: cause, hint: operatorHint(cause) }, message);
    return error;
  }
  // Whoever refuses has told the log why.
  if (error instanceof Refusal) {
    const { status, detail, headers } = error.problem;
    if (status === 429) {
      const retryAfter = Number(headers?.['Retry-After'] ?? 1);
      return new RequestError('rate-limit-exceeded', detail, '$', undefined, retryAfter);
    }
    return status === 503 ? unavailable(detail) : new RequestError('unexpected', detail);
  }
  logger.error({ err: error }, 'a GraphQL request failed unexpectedly');
  return new RequestError('unexpected', 'internal error');
}
