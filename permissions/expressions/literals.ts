import type { RawNode } from '../metadata/yaml/node.ts';
import type { TypeName } from '../types/names.ts';
import { readBoolean, readInteger, readUuid } from './read-scalar.ts';

const integerRanges: Readonly<Record<string, bigint>> = {
  int2: 2n ** 15n,
  int4: 2n ** 31n,
  int8: 2n ** 63n,
};
const decimal = /^\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?\s*$/i;
const special = /^\s*([+-]?(inf|infinity)|nan)\s*$/i;
const date =
  /^(\d{4,}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?)?\s*(Z|[+-]\d{2}(:?\d{2})?)?|-?infinity)$/i;
const time = /^\d{2}:\d{2}(:\d{2}(\.\d+)?)?\s*(Z|[+-]\d{2}(:?\d{2})?)?$/i;

/**
 * Returns whether Postgres accepts a text as a literal of a type. The check is generous: it accepts every text for
 * types that only Postgres can check, and everything that a well-written client sends. It is strict only for dates,
 * which must follow ISO 8601, because settings change how Postgres reads other forms.
 */
export function fitsType(text: string, type: TypeName): boolean {
  if (text.includes('\0')) return false;
  if (type.element) {
    const elements = parseArray(text);
    const { element } = type;
    return elements?.every((one) => one === null || fitsType(one, element)) ?? false;
  }
  if (type.labels) return type.labels.includes(text);
  if (type.schema !== 'pg_catalog') return true;
  return fitsBuiltin(text, type.name);
}

function fitsBuiltin(text: string, name: string): boolean {
  switch (name) {
    case 'uuid':
      return readUuid(text) !== undefined;
    case 'int2':
    case 'int4':
    case 'int8':
      return fitsInteger(text, integerRanges[name] ?? 0n);
    case 'numeric':
    case 'float4':
    case 'float8':
      return decimal.test(text) || special.test(text);
    case 'bool':
      return readBoolean(text) !== undefined;
    case 'date':
    case 'timestamp':
    case 'timestamptz':
      return date.test(text.trim());
    case 'time':
    case 'timetz':
      return time.test(text.trim());
    case 'json':
    case 'jsonb':
      return isJson(text);
    default:
      return true;
  }
}

function fitsInteger(text: string, limit: bigint): boolean {
  const value = readInteger(text);
  return value !== undefined && value >= -limit && value < limit;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the elements of a one-dimensional Postgres array literal `{a,"b c",NULL}`; undefined for any other text.
 * Follows https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO.
 *
 * The package postgres-array is unsuitable, because it parses output of Postgres and this text comes from clients.
 * On an unterminated quote it allocates until the process dies. It accepts `{a,}`, and it takes spaces around an
 * element as part of the element.
 */
export function parseArray(text: string): readonly (string | null)[] | undefined {
  const inner = /^\s*\{(.*)\}\s*$/s.exec(text)?.[1];
  if (inner === undefined) return undefined;
  if (inner.trim() === '') return [];
  const element = /\s*(?:"((?:[^"\\]|\\.)*)"\s*|((?:[^",{}\\\s]|\\.)(?:[^",{}\\]|\\.)*))(,|$)/sy;
  const found: (string | null)[] = [];
  for (;;) {
    const match = element.exec(inner);
    if (!match) return undefined;
    const [, quoted, bare, end] = match;
    found.push(unescaped(quoted, bare));
    if (end === '') return found;
  }
}

function unescaped(quoted: string | undefined, bare: string | undefined): string | null {
  const plain = bare?.trimEnd() ?? '';
  if (quoted === undefined && plain.toLowerCase() === 'null') return null;
  return (quoted ?? plain).replace(/\\(.)/gs, '$1');
}

/** An element of an array. A nested list adds a dimension. */
export type ArrayElement = string | null | readonly ArrayElement[];

/** Writes an array literal. Its delimiter is a comma, except that arrays of the type `box` need a semicolon. */
export function formatArray(elements: readonly ArrayElement[], delimiter = ','): string {
  const texts = elements.map((one) => {
    if (one === null) return 'NULL';
    return typeof one === 'string' ? quoteElement(one) : formatArray(one, delimiter);
  });
  return `{${texts.join(delimiter)}}`;
}

/** Writes `"…"` with quotes and backslashes escaped, as in literals of arrays, composite types and hstore. */
export function quoteElement(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/**
 * Returns the text of a YAML value as a literal of a type; undefined if the value does not fit. Null does not fit any
 * type.
 */
export function literalText(node: RawNode, type: TypeName): string | undefined {
  if (isJsonType(type)) return jsonText(node);
  if (node.kind === 'list') {
    const { element } = type;
    if (!element) return undefined;
    const items = node.items.map((item) => literalText(item, element));
    return items.every((item) => item !== undefined) ? formatArray(items) : undefined;
  }
  if (node.kind === 'map' || node.value === null) return undefined;
  const text = typeof node.value === 'string' ? node.value : node.source;
  return fitsType(text, type) ? text : undefined;
}

export function isJsonType(type: TypeName): boolean {
  return type.schema === 'pg_catalog' && (type.name === 'jsonb' || type.name === 'json');
}

/**
 * Returns a YAML value as JSON; undefined for values that JSON cannot express, such as infinity. Numbers keep every
 * digit.
 */
function jsonText(node: RawNode): string | undefined {
  switch (node.kind) {
    case 'scalar':
      return typeof node.value === 'number'
        ? jsonNumber(node.value, node.source)
        : JSON.stringify(node.value);
    case 'list': {
      const items = node.items.map(jsonText);
      return items.includes(undefined) ? undefined : `[${items.join(',')}]`;
    }
    case 'map': {
      const members = node.entries.map(({ key, value }) => {
        const text = jsonText(value);
        return text === undefined ? undefined : `${JSON.stringify(key)}:${text}`;
      });
      return members.includes(undefined) ? undefined : `{${members.join(',')}}`;
    }
  }
}

function jsonNumber(value: number, source: string): string | undefined {
  if (/^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i.test(source)) return source;
  return Number.isFinite(value) ? JSON.stringify(value) : undefined;
}

/**
 * Built-in types whose values always have the same text. Dates, intervals, floats, bytea, money and object names are
 * missing, because their text depends on settings that any login can change.
 */
const builtin = new Set([
  ...['bool', 'int2', 'int4', 'int8', 'numeric', 'oid', 'uuid', 'text', 'varchar', 'bpchar'],
  ...['name', 'char', 'json', 'jsonb', 'jsonpath', 'bit', 'varbit', 'inet', 'cidr', 'macaddr'],
  ...['macaddr8', 'pg_lsn', 'time', 'timetz', 'tsvector', 'tsquery', 'int4range', 'int8range'],
  ...['numrange', 'int4multirange', 'int8multirange', 'nummultirange'],
]);

const ofExtensions = new Set(['citext', 'ltree', 'lquery', 'ltxtquery', 'hstore']);

/**
 * Returns whether a type has exactly one text for each value, whatever the settings of the caller. A rule may compare
 * such values as text; with other types a caller could change the result. Always false for domains and composite types.
 */
export function hasFixedText({ schema, name, element, labels }: TypeName): boolean {
  if (element) return hasFixedText(element);
  return labels !== undefined || (schema === 'pg_catalog' ? builtin : ofExtensions).has(name);
}
