import { Refusal } from '../../../../http/answers/problem.ts';
import { validatorOf } from '../../../../http/endpoint/validate.ts';
import type { CallbackProvider } from '../providers/callback-provider.ts';
import type { StrictJson } from './strict-json.ts';

/**
 * Makes a function that checks an event of the provider. The function returns the problem as a text for the sender, or
 * undefined for a valid event.
 */
export function makeEventCheck(
  provider: CallbackProvider,
): (event: StrictJson) => string | undefined {
  const validate = validatorOf(provider.schema, 'body');
  return ({ value, exact }) => {
    try {
      validate(value);
    } catch (error) {
      if (error instanceof Refusal) return error.problem.detail;
      throw error;
    }
    return provider.problemOf(exact);
  };
}
