import { isExactNumber, isJsonObject, type Json } from '../graphql/json.ts';
import { RequestError } from '../graphql/request-error.ts';
import type { VariableValues } from './operation-size.ts';

/** The variables of a request as GraphQL's own scalars take them. @throws RequestError */
export function plainVariables(given: Json | undefined): VariableValues {
  if (given === undefined || given === null) return {};
  if (!isJsonObject(given)) {
    throw new RequestError('bad-request', 'expected an object', '$.variables');
  }
  return plain(given) as VariableValues;
}

/** Numbers of more digits than JavaScript's have become texts, which PostgreSQL's own types are read from. */
function plain(value: Json): unknown {
  if (isExactNumber(value)) return isClose(value.rawJSON) ? Number(value.rawJSON) : value.rawJSON;
  if (Array.isArray(value)) return value.map(plain);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}

// 1.0 and 1e3 are written otherwise, but lose nothing.
function isClose(text: string): boolean {
  const digits = text.replace(/e.*$/i, '').replace(/\D/g, '').replace(/^0+/, '');
  return digits.length <= 15;
}
