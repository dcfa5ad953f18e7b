import type pino from 'pino';
import { operatorHint } from '../../db/operator-hint.ts';
import { BusyError } from '../../db/requests/busy-error.ts';
import { Refusal } from './problem.ts';

/**
 * The outcome of what asks the database; a failure is logged, and told as one that passes.
 * @throws Refusal 503 in place of an error of the database; other refusals as they are
 */
export async function orUnavailable<T>(work: Promise<T>, logger: pino.Logger): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw unavailable(error, logger);
  }
}

/** What a caller is told of a failure that is not the caller's; the log gets the reason. */
export function unavailable(error: unknown, logger: pino.Logger): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof BusyError) return tryAgain(error.message);
  logger.error({ err: error, hint: operatorHint(error) }, 'the database cannot be asked');
  return tryAgain('the database cannot be asked at the moment; try again');
}

function tryAgain(detail: string): Refusal {
  return new Refusal({ status: 503, code: 'unavailable', detail, headers: { 'Retry-After': '1' } });
}
