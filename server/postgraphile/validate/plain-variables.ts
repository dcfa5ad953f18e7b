import { isExactNumber, isJsonObject, type Json } from '../../graphql/json.ts';
import { MAX_PARTS, tooManyParts } from '../../graphql/limits/condition-parts.ts';
import { RequestError } from '../../graphql/request-error.ts';
import type { VariableValues } from './operation-size.ts';

/** Converts the variables of a request for GraphQL's own scalars. @throws RequestError, also for too many values */
export function plainVariables(given: Json | undefined): VariableValues {
  if (given === undefined || given === null) return {};
  if (!isJsonObject(given)) {
    throw new RequestError('bad-request', 'expected an object', '$.variables');
  }
  let parts = 0;
  const count = () => {
    parts += 1;
    if (parts > MAX_PARTS) throw tooManyParts('$.variables');
  };
  return plain(given, count) as VariableValues;
}

/** Converts numbers with more digits than JavaScript keeps to texts, which PostGraphile's scalars accept. */
function plain(value: Json, count: () => void): unknown {
  count();
  if (isExactNumber(value)) return isClose(value.rawJSON) ? Number(value.rawJSON) : value.rawJSON;
  if (Array.isArray(value)) return value.map((item) => plain(item, count));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item, count)]));
}

// Returns true if a JavaScript number represents the value exactly enough. JavaScript writes 1.0 and 1e3 differently,
// but their values stay the same.
function isClose(text: string): boolean {
  const digits = text.replace(/e.*$/i, '').replace(/\D/g, '').replace(/^0+/, '');
  return digits.length <= 15;
}
