import { Refusal } from '../../../../http/answers/problem.ts';
import { validatorOf } from '../../../../http/endpoint/validate.ts';
import type { CallbackProvider } from '../providers/callback-provider.ts';
import type { StrictJson } from './strict-json.ts';

/** Makes a check of the provider's events. It returns the problem in words for the sender, or undefined. */
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
