import type pino from 'pino';
import { Refusal } from '../rest/problem.ts';

/**
 * The outcome of what asks the database; a failure is logged, and told as one that passes.
 * @throws Refusal 503 in place of an error of the database; other refusals as they are
 */
export async function orUnavailable<T>(work: Promise<T>, logger: pino.Logger): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Refusal) throw error;
    logger.error({ err: error }, 'a document cannot be read');
    throw new Refusal({
      status: 503,
      code: 'unavailable',
      detail: 'this cannot be looked up at the moment; try again',
      headers: { 'Retry-After': '1' },
    });
  }
}
