import { type SQL, sql } from 'postgraphile/pg-sql2';
import { formatArray } from '../../../../permissions/index.ts';
import type { BoundValue } from '../../../db/requests/request-pool.ts';
import { TEXT } from '../fragments.ts';
import { parameter } from '../input/input.ts';

/*
 * Statements that functions of ours run get their values in one array of texts.
 */

/** A text that is known beforehand. */
export function textValue(text: string): SQL {
  return sql`${parameter(() => text)}${TEXT}`;
}

/** Texts that are known beforehand. */
export function textValues(texts: readonly (string | null)[]): SQL {
  return sql`${parameter(() => texts)}${TEXT}[]`;
}

/** Places of values, `$1`, become elements of the one value that there is. */
export function inArray(text: string, offset: number): string {
  return withPlaces(text, (place) => `($1)[${place + offset}]`);
}

/** Puts something else where values have their places, counted from 1; those inside names and texts are none. */
export function withPlaces(text: string, put: (place: number) => string): string {
  return text.replace(/"(?:[^"]|"")*"|'(?:[^']|'')*'|\$(\d+)/g, (found, place?: string) =>
    place === undefined ? found : put(Number(place)),
  );
}

/** A list inside the list would be a second dimension. */
export function asText(value: BoundValue): string | null {
  return typeof value === 'string' || value === null ? value : formatArray(value);
}
