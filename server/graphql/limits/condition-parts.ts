import { RequestError } from '../request-error.ts';

/**
 * Maximum number of objects and comparisons in the conditions and orderings of one operation. With more, compiling
 * would block all other requests, and Postgres would need more time for planning than for running.
 */
export const MAX_PARTS = 10_000;

/** The error of an operation whose conditions and orderings have more than {@link MAX_PARTS} parts. */
export function tooManyParts(path = '$'): RequestError {
  const message = `the conditions and orderings of one operation may have ${MAX_PARTS} objects and comparisons; compare with lists (_in), or split it into several operations`;
  return new RequestError('node-limit-exceeded', message, path);
}
