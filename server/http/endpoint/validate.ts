import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { IsOptional, type TSchema } from 'typebox';
import { Refusal } from '../answers/problem.ts';
import { validationMessages } from './validation-messages.ts';

const ajv = new Ajv2020({
  allErrors: true,
  // Lets a schema allow both numbers and strings, because clients may send amounts as either.
  allowUnionTypes: true,
  formats: { uuid: /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i },
});

/** Maximum number of mistakes in one answer, because a body may contain very many. */
const maxProblems = 10;

/**
 * Makes a function that validates one part of a request and returns it unchanged, or undefined without a schema or for a
 * body that is optional and absent. The function throws Refusal 400 that names the mistakes.
 */
export function validatorOf(
  schema: TSchema | undefined,
  part: 'path' | 'query' | 'body',
): (value: unknown) => unknown {
  if (!schema) return () => undefined;
  // Compiled at the first request, to keep the start of the server fast.
  let validate: ValidateFunction | undefined;
  return (value) => {
    if (value === undefined) {
      if (IsOptional(schema)) return undefined;
      throw mistaken(`the ${part} is missing`);
    }
    validate ??= ajv.compile(schema);
    if (validate(value)) return value;
    const problems = validationMessages(validate.errors ?? [], part);
    throw mistaken(problems.slice(0, maxProblems).join('; '));
  };
}

function mistaken(detail: string): Refusal {
  return new Refusal({ status: 400, code: 'bad-request', detail });
}
