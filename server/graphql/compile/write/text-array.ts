import { type SQL, sql } from 'postgraphile/pg-sql2';
import { formatArray } from '../../../../permissions/index.ts';
import type { BoundValue } from '../../../db/requests/wire/message-writer.ts';
import type { Variables } from '../../validate/variables.ts';
import { TEXT } from '../fragments.ts';
import { type Parameter, parameter, type Written } from '../input/input.ts';

/**
 * Some database functions of Rowgate run statements that the gateway compiles. They receive all values of such a
 * statement in one parameter, an array of texts. The helpers in this file fill that array and refer to its elements.
 */

/** A constant text as a parameter. */
export function textValue(text: string): SQL {
  return sql`${parameter(() => text)}${TEXT}`;
}

/** A constant list of texts as a parameter. */
export function textValues(texts: readonly (string | null)[]): SQL {
  return sql`${parameter(() => texts)}${TEXT}[]`;
}

/** Compiles the values of several parameters as one parameter, an array of their texts. */
export function textsOf(parameters: readonly Parameter[]): SQL {
  const read = (variables: Variables, written: Written) =>
    parameters.map((one) => asText(one(variables, written)));
  const readsWritten = parameters.some((one) => one.readsWritten);
  return sql`${parameter(Object.assign(read, { readsWritten }))}${TEXT}[]`;
}

/** Replaces the placeholders `$1`, `$2`, … by elements of the array in `$1`. */
export function inArray(text: string, offset: number): string {
  return withPlaces(text, (place) => `($1)[${place + offset}]`);
}

/** Replaces the placeholders `$1`, `$2`, …, ignoring any inside quoted identifiers and string literals. */
export function withPlaces(text: string, put: (place: number) => string): string {
  return text.replace(/"(?:[^"]|"")*"|'(?:[^']|'')*'|\$(\d+)/g, (found, place?: string) =>
    place === undefined ? found : put(Number(place)),
  );
}

// Converts a list to text, because a list inside the array would become a second dimension of the array.
function asText(value: BoundValue): string | null {
  return typeof value === 'string' || value === null ? value : formatArray(value);
}
