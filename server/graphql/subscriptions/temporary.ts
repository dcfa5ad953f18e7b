import { CallerOutage } from '../../caller/authenticate.ts';
import { BusyError } from '../../db/requests/busy-error.ts';
import { RequestError } from '../request-error.ts';

/** Returns true for a failure that another try may not have: the server is busy, or the database does not answer. */
export function isTemporary(error: unknown): boolean {
  if (error instanceof RequestError) return error.code === 'unavailable';
  return error instanceof BusyError || error instanceof CallerOutage;
}

const firstWaitMs = 100;
const maxWaitMs = 5000;

/**
 * Returns the wait before another try. It doubles with each failure, and a random part spreads the tries of many
 * subscriptions.
 * @param failures the number of failures in a row
 */
export function backOffMs(failures: number): number {
  const whole = Math.min(maxWaitMs, firstWaitMs * 2 ** Math.min(failures - 1, 10));
  return whole * (0.5 + Math.random() / 2);
}
