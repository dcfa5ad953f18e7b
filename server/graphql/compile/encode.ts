import type { BoundValue } from '../../db/request-pool.ts';
import { isExactNumber, type Json } from '../json.ts';
import type { Scalar } from '../view/scalar.ts';

/** Turns a checked value into what Postgres is sent. */
export type Encode = (value: Json) => BoundValue;

/** For a value of a column's type. */
export function encoderOf(scalar: Scalar): Encode {
  const one = isMoney(scalar) ? encodeMoney : (ENCODERS[scalar.rule] ?? encodeText);
  return scalar.isArray ? arrayOf(one) : one;
}

// A text is Postgres's own notation of an array.
function arrayOf(encode: Encode): Encode {
  const list = listOf(encode);
  return (value) => (typeof value === 'string' ? value : list(value));
}

/** For a list of such values; a single value counts as a list of one, null as no list. */
export function listOf(encode: Encode): Encode {
  return (value) => {
    if (value === null) return null;
    return Array.isArray(value)
      ? value.map((item: Json) => listItem(item, encode))
      : [encode(value)];
  };
}

/** The text of a value: numbers with all their digits. */
export function encodeText(value: Json): BoundValue {
  if (value === null) return null;
  return isExactNumber(value) ? value.rawJSON : String(value);
}

// Lists in lists are dimensions of one array.
function listItem(item: Json, encode: Encode): BoundValue {
  return Array.isArray(item) && encode !== encodeJson ? listOf(encode)(item) : encode(item);
}

function encodeJson(value: Json): BoundValue {
  return value === null ? null : JSON.stringify(value);
}

// `1.0` and `1e2` are integers too, but Postgres does not read them so.
function encodeInteger(value: Json): BoundValue {
  return encodeText(isExactNumber(value) ? Number(value.rawJSON) : value);
}

function isMoney({ type }: Scalar): boolean {
  const { schema, name } = type.element ?? type;
  return schema === 'pg_catalog' && name === 'money';
}

// Nor does it read `1e2` as an amount of money.
function encodeMoney(value: Json): BoundValue {
  const isPower = isExactNumber(value) && /e/i.test(value.rawJSON);
  return encodeText(isPower ? Number(value.rawJSON).toFixed(2) : value);
}

const ENCODERS: Partial<Record<Scalar['rule'], Encode>> = {
  integer: encodeInteger,
  json: encodeJson,
};
