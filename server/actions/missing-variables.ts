import type { Action } from '../../permissions/index.ts';
import { ProcessError } from '../errors.ts';

/** Returns the value of an environment variable. */
export type Variable = (name: string) => string | undefined;

/** Returns a message with a position for each unset environment variable that an action uses. */
export function missingVariables(actions: Iterable<Action>, variable: Variable): readonly string[] {
  return [...actions].flatMap(({ name, handler, headers, position: { file, line } }) => {
    const texts = [handler, ...headers.map(({ value }) => value)];
    const named = new Set(texts.flatMap(variablesIn));
    return [...named]
      .filter((one) => variable(one) === undefined)
      .map((one) => `${file}:${line}: the action "${name}" needs ${one}, which is not set`);
  });
}

/**
 * Refuses to serve actions whose environment variables are not set, because each call would fail.
 * @throws ProcessError RG_CONFIG
 */
export function refuseMissingVariables(actions: Iterable<Action>, variable: Variable): void {
  const missing = missingVariables(actions, variable);
  if (missing.length === 0) return;
  throw new ProcessError('RG_CONFIG', missing.join('\n'), {
    hint: 'set the variables in the environment of this process',
    exitCode: 2,
  });
}

function variablesIn(text: string): readonly string[] {
  return [...text.matchAll(/\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/g)].map(([, name = '']) => name);
}
