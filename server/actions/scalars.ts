import type { ActionScalar } from '../../permissions/index.ts';
import { isExactNumber, type Json } from '../graphql/json.ts';

/** Reads a value of a scalar in the form that schemas serialize; returns undefined for an invalid value. */
type Reader = (value: Json) => Json | undefined;

const number = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
const decimal = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,4})?$/;
const day = String.raw`\d{4,6}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])`;
const clock = String.raw`([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?`;
const zone = String.raw`(Z|[+-]\d\d(:?\d\d)?)`;

const readers: Readonly<Record<ActionScalar, Reader>> = {
  Boolean: (value) => (typeof value === 'boolean' ? value : undefined),
  Float: readFloat,
  ID: (value) => (typeof value === 'string' ? value : readWhole(value, 64)),
  Int: (value) => readInteger(value, 32),
  String: (value) => (typeof value === 'string' ? value : undefined),
  bigint: (value) => readWhole(value, 64),
  date: matching(day),
  float8: readFloat,
  json: (value) => value,
  jsonb: (value) => value,
  numeric: readNumeric,
  smallint: (value) => readInteger(value, 16),
  time: matching(clock),
  timestamp: matching(`${day}[T ]${clock}`),
  timestamptz: matching(`${day}[T ]${clock}${zone}`),
  timetz: matching(`${clock}${zone}`),
  uuid: matching('[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}'),
};

/** Reads a value of a scalar; undefined for an invalid value. Numbers that JavaScript would change become strings. */
export function readScalar(scalar: ActionScalar, value: Json): Json | undefined {
  return readers[scalar](value);
}

/** Whether a text is a number in JSON. */
export function isJsonNumber(text: string): boolean {
  return number.test(text);
}

function matching(pattern: string): Reader {
  const whole = new RegExp(`^${pattern}$`, 'i');
  return (value) => (typeof value === 'string' && whole.test(value) ? value : undefined);
}

function readFloat(value: Json): Json | undefined {
  const read = isExactNumber(value) ? Number(value.rawJSON) : value;
  return typeof read === 'number' && Number.isFinite(read) ? read : undefined;
}

function readNumeric(value: Json): Json | undefined {
  const text = textOf(value);
  return text !== undefined && (decimal.test(text) || text === 'NaN') ? text : undefined;
}

/** Returns the digits of an integer that fits into `bits` bits; otherwise undefined. */
function readWhole(value: Json, bits: number): string | undefined {
  const text = textOf(value);
  if (text === undefined || !/^-?\d{1,20}$/.test(text)) return undefined;
  const whole = BigInt(text);
  return BigInt.asIntN(bits, whole) === whole ? String(whole) : undefined;
}

function readInteger(value: Json, bits: number): number | undefined {
  const whole = typeof value === 'string' ? undefined : readWhole(value, bits);
  return whole === undefined ? undefined : Number(whole);
}

function textOf(value: Json): string | undefined {
  if (isExactNumber(value)) return value.rawJSON;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
