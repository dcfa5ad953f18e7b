import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';
import { Refusal } from '../answers/problem.ts';
import { validationMessages } from './validation-messages.ts';

const ajv = new Ajv2020({
  allErrors: true,
  // Amounts may be numbers or texts.
  allowUnionTypes: true,
  formats: { uuid: /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i },
});

/** Nobody mends more at a time, and a body may hold a great many. */
const mostProblems = 10;

/**
 * Checks one part of a request against its schema and returns it as it is; without a schema it counts for nothing.
 * The returned function throws Refusal (400) that names the mistakes.
 */
export function validatorOf(
  schema: TSchema | undefined,
  part: 'path' | 'query' | 'body',
): (value: unknown) => unknown {
  if (!schema) return () => undefined;
  // Compiled when first asked, for a start would pay for all.
  let validate: ValidateFunction | undefined;
  return (value) => {
    if (value === undefined) throw mistaken(`the ${part} is missing`);
    validate ??= ajv.compile(schema);
    if (validate(value)) return value;
    const problems = validationMessages(validate.errors ?? [], part);
    throw mistaken(problems.slice(0, mostProblems).join('; '));
  };
}

function mistaken(detail: string): Refusal {
  return new Refusal({ status: 400, code: 'bad-request', detail });
}
