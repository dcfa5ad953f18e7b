import type { Logger } from 'pino';
import { CallerError, CallerOutage } from '../../caller/authenticate.ts';
import { operatorHint } from '../../db/operator-hint.ts';
import { BusyError } from '../../db/requests/fairness/busy-error.ts';
import { Refusal } from '../../http/answers/problem.ts';
import { type GraphqlErrorCode, RequestError, unavailable } from '../request-error.ts';

/** Codes of failures that the client did not cause. */
const serverCodes: ReadonlySet<string> = new Set<GraphqlErrorCode>([
  'unavailable',
  'outcome-unknown',
  'unexpected',
]);

/** Converts any failure of a request to the error for the client. The log gets the cause, without values. */
export function toClientError(error: unknown, logger: Logger): RequestError {
  if (error instanceof RequestError) return logged(error, logger);
  if (error instanceof CallerError) return new RequestError(error.code, error.message);
  // The authenticator has already logged the cause.
  if (error instanceof CallerOutage) return unavailable(error.message);
  // The server is busy with other requests. The code logs nothing, because the error has no cause, and one caller could
  // fill the log.
  if (error instanceof BusyError) return unavailable(error.message);
  if (error instanceof Refusal) return refusalError(error);
  logger.error({ err: error }, 'a GraphQL request failed unexpectedly');
  return new RequestError('unexpected', 'internal error');
}

function logged(error: RequestError, logger: Logger): RequestError {
  const { cause, code, message, extensions } = error;
  const isBusy = code === 'unavailable' && cause === undefined;
  // A handler or a plugin refused the request, which concerns only the client. Other failures of handlers and plugins
  // are already logged.
  const isRefusal = extensions !== undefined;
  if (serverCodes.has(code) && !isBusy && !isRefusal)
    logger.error({ err: cause, hint: operatorHint(cause) }, message);
  return error;
}

// The code that threw the refusal has already logged the reason.
function refusalError({ problem: { status, detail, headers } }: Refusal): RequestError {
  if (status === 503) return unavailable(detail);
  if (status !== 429) return new RequestError('unexpected', detail);
  const retryAfter = Number(headers?.['Retry-After'] ?? 1);
  return new RequestError('rate-limit-exceeded', detail, '$', undefined, retryAfter);
}
