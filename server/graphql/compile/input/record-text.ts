import { formatArray, quoteElement } from '../../../../permissions/index.ts';
import type { BoundValue } from '../../../db/requests/request-pool.ts';
import type { Json } from '../../json.ts';
import { RequestError } from '../../request-error.ts';
import type { Members, Scalar } from '../../schema/view/scalar.ts';

/** What stands for a value of a composite type: the values of its fields, those that are absent being null. */
export type RecordObject = { readonly [key: string]: Json };

/**
 * For an object that stands for a value of a composite type, as such values are read: Postgres's own notation of it,
 * e.g. `("1","x ""y""",)`. @throws RequestError for a field that the type lacks
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
    // A field may be called like what every object has.
    const given = new Map(Object.entries(value));
    return `(${fields.map(([name, encode]) => fieldText(encode(given.get(name) ?? null))).join(',')})`;
  };
}

// Nothing at all is null.
function fieldText(value: BoundValue): string {
  return value === null ? '' : quoteElement(typeof value === 'string' ? value : formatArray(value));
}
