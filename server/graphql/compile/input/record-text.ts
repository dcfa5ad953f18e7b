import { formatArray, quoteElement } from '../../../../permissions/index.ts';
import type { BoundValue } from '../../../db/requests/wire/message-writer.ts';
import type { Json } from '../../json.ts';
import { RequestError } from '../../request-error.ts';
import type { Members, Scalar } from '../../schema/view/scalar.ts';

/** A composite value as an object: its fields by name. Absent fields are null. */
export type RecordObject = { readonly [key: string]: Json };

/**
 * Returns an encoder that converts an object to Postgres's notation of a composite value, for example `("1","x
 * ""y""",)`. The encoder throws RequestError for a field that the type does not have.
 */
export function recordEncoder(
  members: Members,
  encoderOf: (scalar: Scalar) => (value: Json) => BoundValue,
): (value: RecordObject) => string {
  const fields = [...members].map(([name, scalar]) => [name, encoderOf(scalar)] as const);
  return (value) => {
    const unknown = Object.keys(value).find((name) => !members.has(name));
    if (unknown !== undefined) {
      throw new RequestError('parse-failed', `a composite value has no field '${unknown}'`);
    }
    // A map, because a field may have the name of a built-in property of objects.
    const given = new Map(Object.entries(value));
    return `(${fields.map(([name, encode]) => fieldText(encode(given.get(name) ?? null))).join(',')})`;
  };
}

// Postgres reads an empty field as null.
function fieldText(value: BoundValue): string {
  return value === null ? '' : quoteElement(typeof value === 'string' ? value : formatArray(value));
}
