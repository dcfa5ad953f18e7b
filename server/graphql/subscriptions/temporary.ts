import type { BackOff } from '../../back-off.ts';
import { CallerOutage } from '../../caller/authenticate.ts';
import { BusyError } from '../../db/requests/fairness/busy-error.ts';
import { RequestError } from '../request-error.ts';

/**
 * Returns true for a failure that another try may not have: the server is busy, the database does not answer, a lock was
 * held, or new rules were applied that this process does not serve yet.
 */
export function isTemporary(error: unknown): boolean {
  if (error instanceof RequestError)
    return error.code === 'unavailable' || error.code === 'conflict';
  return error instanceof BusyError || error instanceof CallerOutage;
}

/** The waits before another fetch after failures. */
export const fetchBackOff: BackOff = { firstMs: 100, maxMs: 5000 };
