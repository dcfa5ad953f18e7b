import type { Answer } from './gateway.ts';

/**
 * Formats the only error of an answer as `code path message`. An answer without an error is returned as JSON, so that a
 * failed test shows the answer.
 */
export function errorOf(answer: Answer): string {
  const [error, ...more] = answer.errors ?? [];
  if (!error || more.length > 0 || 'data' in answer)
    return `no single error: ${JSON.stringify(answer)}`;
  return `${error.extensions.code} ${error.extensions.path} ${error.message}`;
}
