import type { Action } from '../../permissions/index.ts';
import { unsetVariables, type Variable } from '../delivery/unset-variables.ts';
import { ProcessError } from '../errors.ts';

/** Returns a message with a position for each unset environment variable that an action uses. */
export function missingVariables(actions: Iterable<Action>, variable: Variable): readonly string[] {
  const items = [...actions].map(({ name, handler, headers, position }) => ({
    subject: `the action "${name}"`,
    texts: [handler, ...headers.map(({ value }) => value)],
    position,
  }));
  return unsetVariables(items, variable);
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
