import { parseArray } from '../../expressions/literals.ts';
import { readBoolean, readInteger, readUuid } from '../../expressions/read-scalar.ts';
import type { TypeName } from '../../types/names.ts';

export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json };

/** One value: a text that Postgres reads, or a JSON document. Null stands for SQL's null, never for JSON's. */
export type Scalar = string | { readonly json: Json };
export type Value = Scalar | readonly (Scalar | null)[];
export type Cell = Value | null;

/** A type whose values can be compared without a database. */
export interface ValueType {
  /** `number`: integers and numeric, which compare with each other. `text` includes varchar. */
  readonly name: (typeof scalarNames)[number] | 'enum' | 'list';
  /** Whether only whole numbers, or whole days, are values. */
  readonly isWhole?: boolean;
  /** For integers: the first positive number that the type cannot hold. */
  readonly limit?: bigint;
  /** The labels of an enum, in their order. */
  readonly labels?: readonly string[];
  /** The type of the elements of a list. */
  readonly element?: ValueType;
  /** Whether texts sort by code point. Absent: the collation decides, so the order of two texts is not known. */
  readonly byCodePoint?: boolean;
}

const scalarNames = [
  ...(['number', 'text', 'citext', 'uuid', 'bool', 'date'] as const),
  ...(['timestamptz', 'timestamp', 'jsonb'] as const),
] as const;

const builtin: Readonly<Record<string, ValueType>> = {
  ...{ int2: integer(16n), int4: integer(32n), int8: integer(64n) },
  ...{ numeric: { name: 'number' }, text: { name: 'text' }, varchar: { name: 'text' } },
  ...{ uuid: { name: 'uuid' }, bool: { name: 'bool' }, date: { name: 'date', isWhole: true } },
  ...{ timestamptz: { name: 'timestamptz' }, timestamp: { name: 'timestamp' } },
  jsonb: { name: 'jsonb' },
};

function integer(bits: bigint): ValueType {
  return { name: 'number', isWhole: true, limit: 2n ** (bits - 1n) };
}

/** Returns how values of a type compare; undefined for types that only Postgres can compare, e.g. floats and domains. */
export function valueType({ schema, name, element, labels }: TypeName): ValueType | undefined {
  if (element) {
    const inner = valueType(element);
    return inner && { name: 'list', element: inner };
  }
  if (labels) return { name: 'enum', labels };
  if (schema === 'pg_catalog') return Object.hasOwn(builtin, name) ? builtin[name] : undefined;
  return name === 'citext' ? { name: 'citext' } : undefined;
}

/**
 * Reads the text of a value, so that equal values of most types have equal texts. Undefined if the text is no value of
 * the type, or if only Postgres can read it, e.g. a date whose meaning depends on settings.
 */
export function readValue(text: string, type: ValueType): Value | undefined {
  switch (type.name) {
    case 'list':
      return readList(text, type);
    case 'jsonb':
      return readJson(text);
    case 'enum':
      return type.labels?.includes(text) ? text : undefined;
    case 'text':
    case 'citext':
      return text;
    default:
      return readScalar[type.name](text.trim(), type);
  }
}

function readList(text: string, { element }: ValueType): Value | undefined {
  const items = parseArray(text)?.map((item) =>
    item === null || !element ? null : readValue(item, element),
  );
  if (!items || !element) return undefined;
  const scalars = items.filter((item) => item === null || isScalar(item));
  return scalars.length === items.length ? scalars : undefined;
}

function isScalar(value: Value | undefined): value is Scalar {
  return value !== undefined && !Array.isArray(value);
}

function readJson(text: string): Value | undefined {
  try {
    const json = JSON.parse(text) as Json;
    // JavaScript would round such numbers; Postgres keeps every digit.
    return /\d{15}|\d[eE]/.test(text) ? undefined : { json };
  } catch {
    return undefined;
  }
}

const readScalar: Readonly<
  Record<
    'number' | 'uuid' | 'bool' | 'date' | 'timestamptz' | 'timestamp',
    (text: string, type: ValueType) => string | undefined
  >
> = {
  number: readNumber,
  uuid: readUuid,
  bool: (text) => {
    const value = readBoolean(text);
    return value === undefined ? undefined : String(value);
  },
  date: (text) => (isDay(text) ? text : undefined),
  timestamptz: (text) => readInstant(text, /^(Z|[+-](0\d|1[0-5]):[0-5]\d)$/i),
  timestamp: (text) => readInstant(text, /^$/),
};

function readNumber(text: string, { limit }: ValueType): string | undefined {
  if (limit === undefined) {
    const number = text.replace(/^\+/, '');
    return /^-?(\d{1,60}(\.\d{0,30})?|\.\d{1,30})$/.test(number) ? number : undefined;
  }
  const value = readInteger(text);
  return value !== undefined && value >= -limit && value < limit ? String(value) : undefined;
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const day = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(day) && new Date(day).toISOString().startsWith(text);
}

/** Returns an instant if the text has a day, a time to at most a microsecond, and the right kind of zone. */
function readInstant(text: string, zone: RegExp): string | undefined {
  if (text === 'infinity') return text;
  const match = /^(\d{4}-\d{2}-\d{2})[T ]([01]\d|2[0-3])(:[0-5]\d){2}(\.\d{1,6})?(.*)$/i.exec(text);
  return match && zone.test(match[5] ?? '') && isDay(match[1] ?? '') ? text : undefined;
}
