import type { Logger } from 'pino';
import { CallerError } from '../caller/authenticate.ts';
import { operatorHint } from '../db/operator-hint.ts';
import { BusyError } from '../db/requests/busy-error.ts';
import { Refusal } from '../http/answers/problem.ts';
import { type GraphqlErrorCode, RequestError, unavailable } from './request-error.ts';

/** Codes of failures that the server has caused. */
const serverCodes: ReadonlySet<string> = new Set<GraphqlErrorCode>([
  'unavailable',
  'outcome-unknown',
  'unexpected',
]);

/** Turns any failure of a request into the error for the client, and logs its cause without values. */
export function toClientError(error: unknown, logger: Logger): RequestError {
  if (error instanceof RequestError) return logged(error, logger);
  if (error instanceof CallerError) return new RequestError(error.code, error.message);
  // A BusyError has no cause to log, and one caller could fill the log with them.
  if (error instanceof BusyError) return unavailable(error.message);
  if (error instanceof Refusal) return refusalError(error);
  logger.error({ err: error }, 'a GraphQL request failed unexpectedly');
  return new RequestError('unexpected', 'internal error');
}

function logged(error: RequestError, logger: Logger): RequestError {
  const { cause, code, message, extensions } = error;
  const isBusy = code === 'unavailable' && cause === undefined;
  // Refusals by handlers and plugins concern only the client. Their other failures have been logged already.
  const isRefusal = extensions !== undefined;
  if (serverCodes.has(code) && !isBusy && !isRefusal)
    logger.error({ err: cause, hint: operatorHint(cause) }, message);
  return error;
}

// The code that refused the request has logged the reason.
function refusalError({ problem: { status, detail, headers } }: Refusal): RequestError {
  if (status === 503) return unavailable(detail);
  if (status !== 429) return new RequestError('unexpected', detail);
  const retryAfter = Number(headers?.['Retry-After'] ?? 1);
  return new RequestError('rate-limit-exceeded', detail, '$', undefined, retryAfter);
}
