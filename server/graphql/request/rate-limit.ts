import type { Logger } from 'pino';
import type { RateLimit } from '../../../permissions/index.ts';
import type { RateStore } from '../../caller/rate-store.ts';
import { RequestError, unavailable } from '../request-error.ts';
import { type Asker, addressKey, sessionKey } from './request-caller.ts';

/** Counts an operation of a role that has a rate. @throws RequestError where it is one too many */
export async function countOperation(
  asker: Asker,
  limit: RateLimit,
  rates: RateStore,
  logger: Logger,
): Promise<void> {
  const wait = await count(asker, limit, rates, logger);
  if (wait === 0) return;
  const retryAfter = Math.ceil(wait / 1000);
  const { name } = asker.caller.role;
  throw new RequestError(
    'rate-limit-exceeded',
    `role "${name}" may run ${limit.requests} operations in ${limit.seconds} s; try again in ${retryAfter} s`,
    '$',
    undefined,
    retryAfter,
  );
}

// Closed, not open: without a count there is no limit.
async function count(
  asker: Asker,
  limit: RateLimit,
  rates: RateStore,
  logger: Logger,
): Promise<number> {
  try {
    return await rates.count(whoCounts(asker, limit.by), limit);
  } catch (error) {
    logger.error({ err: error }, 'cannot count operations');
    throw unavailable('operations cannot be counted at the moment; try again', error);
  }
}

function whoCounts(asker: Asker, by: RateLimit['by']): string {
  const { role, variables } = asker.caller;
  if (by === 'session') return sessionKey(asker);
  if (by === 'address') return addressKey(asker);
  if (by === 'role') return JSON.stringify([role.name]);
  const values = by.map((name) => variables.get(name));
  const isKnown = values.some((value) => value !== undefined);
  return isKnown ? JSON.stringify([role.name, by, values]) : addressKey(asker);
}
