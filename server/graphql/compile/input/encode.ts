import { formatArray, quoteElement } from '../../../../permissions/index.ts';
import type { BoundValue } from '../../../db/requests/wire/message-writer.ts';
import { isExactNumber, isJsonObject, type Json } from '../../json.ts';
import { RequestError } from '../../request-error.ts';
import type { Members, Scalar } from '../../schema/view/scalar.ts';
import { recordEncoder } from './record-text.ts';

/** Converts a checked value to the form in which it is sent to Postgres. */
export type Encode = (value: Json) => BoundValue;

/** Returns the encoder for values of a column's type. */
export function encoderOf(scalar: Scalar): Encode {
  const one = encoderOfOne(scalar);
  if (!scalar.isArray) return one;
  return isOf(scalar, 'box') ? boxesOf(arrayOf(one)) : arrayOf(one);
}

function encoderOfOne(scalar: Scalar): Encode {
  if (isOf(scalar, 'money')) return encodeMoney;
  if (scalar.members) return encodeRecord(scalar.members);
  return ENCODERS[scalar.rule] ?? encodeText;
}

// Clients may write an array as a list, or as a string in Postgres's notation, e.g. `{a,b}`. Postgres parses such a
// string.
function arrayOf(encode: Encode): Encode {
  const list = listOf(encode);
  return (value) => (typeof value === 'string' ? value : list(value));
}

// Values of the type `box` contain commas, so Postgres separates them in an array by semicolons, unlike all other
// types.
function boxesOf(list: Encode): Encode {
  return (value) => {
    const items = list(value);
    return Array.isArray(items) ? formatArray(items, ';') : items;
  };
}

/**
 * Returns an encoder for lists from the encoder for one item. A single value counts as a list of one item. Null stays
 * null.
 */
export function listOf(encode: Encode): Encode {
  return (value) => {
    if (value === null) return null;
    return Array.isArray(value)
      ? value.map((item: Json) => listItem(item, encode))
      : [encode(value)];
  };
}

/** Converts a value to text; numbers keep all digits. @throws RequestError for a list or an object */
export function encodeText(value: Json): string | null {
  if (value === null) return null;
  if (isExactNumber(value)) return value.rawJSON;
  if (typeof value !== 'object') return String(value);
  const found = Array.isArray(value) ? 'a list' : 'an object';
  throw new RequestError('parse-failed', `expected a single value, but found ${found}`);
}

// Nested lists become dimensions of one array, as in Postgres's notation `{{1,2},{3,4}}`.
function listItem(item: Json, encode: Encode): BoundValue {
  return Array.isArray(item) && encode !== encodeJson ? listOf(encode)(item) : encode(item);
}

function encodeJson(value: Json): BoundValue {
  return value === null ? null : JSON.stringify(value);
}

// GraphQL accepts `1.0` and `1e2` as integers, but Postgres does not.
function encodeInteger(value: Json): BoundValue {
  return encodeText(isExactNumber(value) ? Number(value.rawJSON) : value);
}

function isOf({ type }: Scalar, builtin: 'box' | 'money'): boolean {
  const { schema, name } = type.element ?? type;
  return schema === 'pg_catalog' && name === builtin;
}

// Postgres does not accept `1e2` as an amount of money, so powers are written as decimals, e.g. `100.00`.
function encodeMoney(value: Json): BoundValue {
  const isPower = isExactNumber(value) && /e/i.test(value.rawJSON);
  return encodeText(isPower ? Number(value.rawJSON).toFixed(2) : value);
}

// Clients may write a composite value as an object, or as a string in Postgres's notation, e.g. `(1,a)`. Postgres
// parses such a string.
function encodeRecord(members: Members): Encode {
  const encode = recordEncoder(members, encoderOf);
  return (value) => (isJsonObject(value) ? encode(value) : encodeText(value));
}

/** Converts an object to `"key"=>"value", …`. */
function encodeHstore(value: Json): BoundValue {
  if (!isJsonObject(value)) return encodeText(value);
  const pairs = Object.entries(value).map(([key, item]) => {
    const text = encodeText(item);
    return `${quoteElement(key)}=>${text === null ? 'NULL' : quoteElement(text)}`;
  });
  return pairs.join(',');
}

const ENCODERS: Partial<Record<Scalar['rule'], Encode>> = {
  hstore: encodeHstore,
  integer: encodeInteger,
  json: encodeJson,
};
