import type { ErrorObject } from 'ajv/dist/2020.js';

/** Converts Ajv's errors into messages with the place and the expected value, e.g. `body.userId is missing`. */
export function validationMessages(
  errors: readonly ErrorObject[],
  part: string,
): readonly string[] {
  const unions = errors.filter(({ keyword }) => keyword === 'anyOf');
  // A value that matches no member of an `anyOf` gets one message. The errors of the members are omitted, because they
  // contradict each other.
  const reported = errors.filter(
    (error) => !unions.some((union) => error.schemaPath.startsWith(`${union.schemaPath}/`)),
  );
  return reported.map((error) => {
    const members = errors.filter(({ schemaPath }) =>
      schemaPath.startsWith(`${error.schemaPath}/`),
    );
    const place = `${part}${placeOf(error.instancePath)}`;
    return `${place}${predicateOf(error, members)}`;
  });
}

function predicateOf(error: ErrorObject, members: readonly ErrorObject[]): string {
  const { keyword, params, message } = error;
  switch (keyword) {
    case 'required':
      return `${stepTo(params.missingProperty)} is missing`;
    case 'additionalProperties':
      return `${stepTo(params.additionalProperty)} is not known here`;
    case 'type':
      return ` must be ${[params.type].flat().map(nameOfType).join(' or ')}`;
    case 'enum':
      return ` must be one of ${params.allowedValues.join(', ')}`;
    case 'anyOf':
      return ` must be one of ${members.flatMap(namesOfMember).join(', ')}`;
    case 'const':
      return ` must be ${params.allowedValue}`;
    case 'format':
      return ` must be a ${params.format}`;
    case 'minimum':
      return ` must be at least ${params.limit}`;
    case 'maximum':
      return ` must be at most ${params.limit}`;
    case 'minLength':
      return params.limit === 1 ? ' is empty' : ` must have at least ${params.limit} characters`;
    case 'maxLength':
      return ` must have at most ${params.limit} characters`;
    default:
      return ` ${message}`;
  }
}

/** Describes the values that one member of an `anyOf` accepts. */
function namesOfMember({ keyword, params, message }: ErrorObject): readonly string[] {
  if (keyword === 'const') return [String(params.allowedValue)];
  if (keyword === 'type') return [nameOfType(params.type)];
  return message === undefined ? [] : [`what ${message}`];
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
};

function nameOfType(type: string): string {
  return typeNames[type] ?? type;
}

/** Converts a JSON pointer such as `/lines/0/price` into `.lines[0].price`. */
function placeOf(pointer: string): string {
  const steps = pointer.split('/').slice(1);
  return steps.map((step) => stepTo(step.replaceAll('~1', '/').replaceAll('~0', '~'))).join('');
}

const maxNameLength = 60;

function stepTo(name: string): string {
  if (/^\d+$/.test(name)) return `[${name}]`;
  return `.${name.length > maxNameLength ? `${name.slice(0, maxNameLength)}…` : name}`;
}
