import type pino from 'pino';
import { Refusal } from './problem.ts';

/** Makes the refusal 429 with `Retry-After`. */
export function tooMany(milliseconds: number): Refusal {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1000));
  return new Refusal({
    status: 429,
    code: 'too-many-requests',
    detail: `too many requests; try again in ${seconds} s`,
    headers: { 'Retry-After': String(seconds) },
  });
}

/**
 * Makes the refusal 503 for a request that the server cannot count. Without counting, the limit would not be enforced.
 */
export function uncounted(error: unknown, logger: pino.Logger): Refusal {
  logger.error({ err: error }, 'cannot count requests');
  const detail = 'the service cannot answer at the moment; try again later';
  return new Refusal({ status: 503, code: 'unavailable', detail });
}
