import { errorMessage } from '../../../errors.ts';
import type { SourceAnswer } from './price-source.ts';

const timeoutMs = 10_000;

/**
 * Requests an answer from all sources at the same time, each for at most 10 s. A failed source does not affect the
 * others. Never throws.
 */
export function querySources<S extends { readonly name: string }, T>(
  sources: readonly S[],
  query: (source: S, signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
): Promise<readonly SourceAnswer<T>[]> {
  return Promise.all(
    sources.map(async (source): Promise<SourceAnswer<T>> => {
      const { name } = source;
      const timeout = AbortSignal.timeout(timeoutMs);
      try {
        return { name, answer: await query(source, AbortSignal.any([signal, timeout])) };
      } catch (error) {
        return { name, error: timeout.aborted ? timeoutMessage() : errorMessage(error) };
      }
    }),
  );
}

/** Returns the errors of failed sources, by their names. */
export function failuresOf(
  answers: readonly SourceAnswer<unknown>[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    answers.flatMap((one) => ('error' in one ? [[one.name, one.error]] : [])),
  );
}

function timeoutMessage(): string {
  return `no answer within ${timeoutMs / 1000} s`;
}
