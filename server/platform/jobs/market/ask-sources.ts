import { errorMessage } from '../../../errors.ts';
import type { Answered } from './source.ts';

const timeoutMs = 10_000;

/** Asks all of them at once, each for at most 10 s; that one fails does not stop the others. Never throws. */
export function askSources<S extends { readonly name: string }, T>(
  sources: readonly S[],
  ask: (source: S, signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
): Promise<readonly Answered<T>[]> {
  return Promise.all(
    sources.map(async (source): Promise<Answered<T>> => {
      const { name } = source;
      const timeOut = AbortSignal.timeout(timeoutMs);
      try {
        return { name, answer: await ask(source, AbortSignal.any([signal, timeOut])) };
      } catch (error) {
        return { name, error: timeOut.aborted ? tooLate() : errorMessage(error) };
      }
    }),
  );
}

/** Why sources said nothing, by their names. */
export function failuresOf(
  answers: readonly Answered<unknown>[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    answers.flatMap((one) => ('error' in one ? [[one.name, one.error]] : [])),
  );
}

function tooLate(): string {
  return `no answer within ${timeoutMs / 1000} s`;
}
