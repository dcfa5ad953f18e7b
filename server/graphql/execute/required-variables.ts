import { fitsType, headerOf, type TypeName, type VariableUse } from '../../../permissions/index.ts';
import { type Caller, missingVariable } from '../../caller/authenticate.ts';
import { RequestError } from '../request-error.ts';

/** The uses that each caller's variables were found valid for most recently. */
const valid = new WeakMap<Caller, readonly VariableUse[]>();

/**
 * Checks that a caller has valid values for all session variables in use. Without a value, rules would match no rows
 * and the caller would get no reason.
 * @throws CallerError, RequestError
 */
export function checkSessionVariables(
  uses: readonly VariableUse[],
  caller: Caller,
  headerPrefix: string,
): void {
  // Callers that send many requests remain the same object, so that most requests need no second check.
  if (uses.length === 0 || valid.get(caller) === uses) return;
  const { variables } = caller;
  for (const { variable, type } of uses) {
    const value = variables.get(variable);
    if (value === undefined) throw missingVariable(variable, headerPrefix);
    if (fitsType(value, type)) continue;
    const header = headerOf(variable, headerPrefix);
    throw new RequestError(
      'parse-failed',
      `session variable "${header}" is not a valid ${describeType(type)}`,
    );
  }
  valid.set(caller, uses);
}

function describeType({ name, element, labels }: TypeName): string {
  if (element) return `array literal {…} of ${describeType(element)}`;
  return labels ? `${name} (one of ${labels.join(', ')})` : name;
}
