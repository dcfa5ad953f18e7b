import type pino from 'pino';
import { Refusal } from './problem.ts';

/** The refusal of a request that is one too many. */
export function tooMany(milliseconds: number): Refusal {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1000));
  return new Refusal({
    status: 429,
    code: 'too-many-requests',
    detail: `too many requests; try again in ${seconds} s`,
    headers: { 'Retry-After': String(seconds) },
  });
}

/** The refusal of a request that cannot be counted: closed, not open, since without a count there is no limit. */
export function uncounted(error: unknown, logger: pino.Logger): Refusal {
  logger.error({ err: error }, 'cannot count requests');
  const detail = 'the service cannot answer at the moment; try again later';
  return new Refusal({ status: 503, code: 'unavailable', detail });
}
