import { fitsType, headerOf, type TypeName, type VariableUse } from '../../../permissions/index.ts';
import { type Caller, missingVariable } from '../../caller/authenticate.ts';
import { RequestError } from '../request-error.ts';

/**
 * Checks that a caller has valid values for all session variables in use. Without a value, rules would match no rows
 * and the caller would get no reason.
 * @throws CallerError, RequestError
 */
export function checkSessionVariables(
  uses: readonly VariableUse[],
  { variables }: Caller,
  headerPrefix: string,
): void {
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
}

function describeType({ name, element, labels }: TypeName): string {
  if (element) return `array literal {…} of ${describeType(element)}`;
  return labels ? `${name} (one of ${labels.join(', ')})` : name;
}
