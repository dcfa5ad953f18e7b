import type pino from 'pino';
import { operatorHint } from '../../db/operator-hint.ts';
import { BusyError } from '../../db/requests/fairness/busy-error.ts';
import { Refusal } from './problem.ts';

/**
 * Awaits work that uses the database. Logs a failure and reports it to the caller as temporary.
 * @throws Refusal 503 instead of an error of the database; a Refusal of the work unchanged
 */
export async function orUnavailable<T>(work: Promise<T>, logger: pino.Logger): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw unavailable(error, logger);
  }
}

/** Converts a failure of the server into a Refusal 503. The log gets the reason; the caller does not. */
export function unavailable(error: unknown, logger: pino.Logger): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof BusyError) return tryAgain(error.message);
  logger.error({ err: error, hint: operatorHint(error) }, 'a query of the server failed');
  return tryAgain('the database does not answer at the moment; try again');
}

function tryAgain(detail: string): Refusal {
  return new Refusal({ status: 503, code: 'unavailable', detail, headers: { 'Retry-After': '1' } });
}
