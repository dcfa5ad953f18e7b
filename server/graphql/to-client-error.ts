import type { Logger } from 'pino';
import { CallerError } from '../caller/authenticate.ts';
import { operatorHint } from '../db/operator-hint.ts';
import { BusyError } from '../db/requests/busy-error.ts';
import { Refusal } from '../http/answers/problem.ts';
import { type GraphqlErrorCode, RequestError, unavailable } from './request-error.ts';

/** Codes of failures that the client has not caused. */
const serverCodes: ReadonlySet<string> = new Set<GraphqlErrorCode>([
  'unavailable',
  'outcome-unknown',
  'unexpected',
]);

/** Turns any failure of a request into the error that the client gets; the log gets the cause, without values. */
export function toClientError(error: unknown, logger: Logger): RequestError {
  if (error instanceof RequestError) return logged(error, logger);
  if (error instanceof CallerError) return new RequestError(error.code, error.message);
  // The server is busy with other requests: there is no cause to log, and one caller could fill the log.
  if (error instanceof BusyError) return unavailable(error.message);
  if (error instanceof Refusal) return ofRefusal(error);
  logger.error({ err: error }, 'a GraphQL request failed unexpectedly');
  return new RequestError('unexpected', 'internal error');
}

function logged(error: RequestError, logger: Logger): RequestError {
  const { cause, code, message, extensions } = error;
  const isBusy = code === 'unavailable' && cause === undefined;
  // Handlers and plugins report to the client alone what they refuse; their other failures are in the log already.
  const isRefusal = extensions !== undefined;
  if (serverCodes.has(code) && !isBusy && !isRefusal)
    logger.error({ err: cause, hint: operatorHint(cause) }, message);
  return error;
}

// The code that refused the request has logged the reason.
function ofRefusal({ problem: { status, detail, headers } }: Refusal): RequestError {
  if (status === 503) return unavailable(detail);
  if (status !== 429) return new RequestError('unexpected', detail);
  const retryAfter = Number(headers?.['Retry-After'] ?? 1);
  return new RequestError('rate-limit-exceeded', detail, '$', undefined, retryAfter);
}
