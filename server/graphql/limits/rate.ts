import type { Logger } from 'pino';
import type { RateLimit } from '../../../permissions/index.ts';
import type { RateStore } from '../../caller/rate-store.ts';
import { addressKey, type RequestCaller, sessionKey } from '../request/request-caller.ts';
import { RequestError, unavailable } from '../request-error.ts';

/** Services for counting operations, and for logging when counting fails. */
interface Counting {
  readonly rates: RateStore;
  readonly logger: Logger;
}

/** Counts an operation against the rate limit of its role. @throws RequestError when the limit is exceeded */
export async function countOperation(
  requestCaller: RequestCaller,
  limit: RateLimit,
  counting: Counting,
): Promise<void> {
  const wait = await count(requestCaller, limit, counting);
  if (wait === 0) return;
  const retryAfter = Math.ceil(wait / 1000);
  const { name } = requestCaller.caller.role;
  throw new RequestError(
    'rate-limit-exceeded',
    `role "${name}" may run ${limit.requests} operations in ${limit.seconds} s; try again in ${retryAfter} s`,
    '$',
    undefined,
    retryAfter,
  );
}

// Refuses the operation when counting fails, because the limit could not be enforced.
async function count(
  requestCaller: RequestCaller,
  limit: RateLimit,
  { rates, logger }: Counting,
): Promise<number> {
  try {
    return await rates.count(keyOf(requestCaller, limit.by), limit);
  } catch (error) {
    logger.error({ err: error }, 'cannot count operations');
    throw unavailable('operations cannot be counted at the moment; try again', error);
  }
}

/** Returns the key under which operations of the caller are counted. Callers with the same key share one limit. */
function keyOf(requestCaller: RequestCaller, by: RateLimit['by']): string {
  const { role, variables } = requestCaller.caller;
  if (by === 'session') return sessionKey(requestCaller);
  if (by === 'address') return addressKey(requestCaller);
  if (by === 'role') return JSON.stringify([role.name]);
  const values = by.map((name) => variables.get(name));
  const isKnown = values.some((value) => value !== undefined);
  return isKnown ? JSON.stringify([role.name, by, values]) : addressKey(requestCaller);
}
