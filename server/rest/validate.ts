import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';
import { Refusal } from './problem.ts';

const ajv = new Ajv2020({ allErrors: true });

/**
 * Checks one part of a request against its schema and returns it as it is; without a schema it counts for nothing.
 * The returned function throws Refusal (400) that names every mistake.
 */
export function validatorOf(
  schema: TSchema | undefined,
  part: 'path' | 'query' | 'body',
): (value: unknown) => unknown {
  if (!schema) return () => undefined;
  const validate = ajv.compile(schema);
  return (value) => {
    if (validate(value)) return value;
    const problems = (validate.errors ?? []).map((error) => `${part}${sentence(error)}`);
    throw new Refusal({ status: 400, code: 'bad-request', detail: problems.join('; ') });
  };
}

function sentence({ instancePath, keyword, message, params }: ErrorObject): string {
  const place = instancePath.replaceAll('/', '.');
  if (keyword === 'required') return `${place}.${params.missingProperty} is missing`;
  if (keyword === 'additionalProperties') {
    return `${place}.${params.additionalProperty} is not known here`;
  }
  if (keyword === 'enum') return `${place} must be one of ${params.allowedValues.join(', ')}`;
  return `${place} ${message}`;
}
