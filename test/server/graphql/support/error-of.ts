import type { Answer } from './gateway.ts';

/** The only error of an answer as `code path message`; an answer with data is shown instead. */
export function errorOf(answer: Answer): string {
  const [error, ...more] = answer.errors ?? [];
  if (!error || more.length > 0 || 'data' in answer)
    return `no single error: ${JSON.stringify(answer)}`;
  return `${error.extensions.code} ${error.extensions.path} ${error.message}`;
}
