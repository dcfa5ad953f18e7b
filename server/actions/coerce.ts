import {
  type ActionScalar,
  type CustomType,
  isActionScalar,
  type TypedName,
  type TypeReference,
} from '../../permissions/index.ts';
import { exactNumber, isJsonObject, type Json } from '../graphql/json.ts';
import { isJsonNumber, readScalar } from './scalars.ts';

export type CustomTypes = ReadonlyMap<string, CustomType>;

/** A value that does not fit its type. */
export class Misfit extends Error {
  /** JSON path of the value, e.g. `$.lines[1].amount`. */
  readonly path: string;

  constructor(path: string, expected: string) {
    super(`${path} must be ${expected}`);
    this.name = 'Misfit';
    this.path = path;
  }
}

/**
 * Reads a handler's answer as a value of a type. Objects in the result have all fields of their type and no others.
 * @throws Misfit
 */
export function coerceOutput(
  value: Json | undefined,
  type: TypeReference,
  types: CustomTypes,
  path = '$',
): Json {
  if (value === null || value === undefined) {
    if (type.isRequired) throw new Misfit(path, 'there and not null');
    return null;
  }
  if (type.kind === 'named') return coerceNamed(value, type.name, types, path);
  const { item } = type;
  if (!Array.isArray(value)) throw new Misfit(path, 'a list');
  return value.map((one, index) => coerceOutput(one, item, types, `${path}[${index}]`));
}

function coerceNamed(value: Json, name: string, types: CustomTypes, path: string): Json {
  if (isActionScalar(name)) {
    const read = readScalar(name, value);
    if (read === undefined) throw new Misfit(path, `of the type ${name}`);
    return read;
  }
  const type = types.get(name);
  switch (type?.kind) {
    case 'enum':
      if (typeof value === 'string' && type.values.has(value)) return value;
      throw new Misfit(path, `a value of the enum ${name}`);
    case 'scalar':
      return value;
    case 'object': {
      if (!isJsonObject(value)) throw new Misfit(path, 'an object');
      const fields = [...type.fields.values()].map(({ name: key, type: expected }) => {
        const own = Object.hasOwn(value, key) ? value[key] : undefined;
        return [key, coerceOutput(own, expected, types, `${path}.${key}`)] as const;
      });
      return Object.fromEntries(fields);
    }
    default:
      throw new RangeError(`${name} is no type that an action returns`);
  }
}

/**
 * Scalars whose values are strings in GraphQL. In the JSON for handlers they become numbers with all of their digits.
 */
const numbers: ReadonlySet<ActionScalar> = new Set(['bigint', 'numeric']);

/** Converts arguments, which the schema has checked, to the JSON for handlers. */
export function encodeInput(
  given: Readonly<Record<string, unknown>>,
  fields: Iterable<TypedName>,
  types: CustomTypes,
): { readonly [key: string]: Json } {
  return Object.fromEntries(
    [...fields].flatMap(({ name, type }) => {
      const value = Object.hasOwn(given, name) ? given[name] : undefined;
      return value === undefined ? [] : [[name, encode(value, type, types)]];
    }),
  );
}

function encode(value: unknown, type: TypeReference, types: CustomTypes): Json {
  if (value === null || value === undefined) return null;
  if (type.kind === 'list') {
    // GraphQL accepts a single value for a list with one item.
    const list: readonly unknown[] = Array.isArray(value) ? value : [value];
    return list.map((one) => encode(one, type.item, types));
  }
  const custom = types.get(type.name);
  if (custom?.kind === 'input' && typeof value === 'object') {
    return encodeInput(value as Record<string, unknown>, custom.fields.values(), types);
  }
  const isNumber = isActionScalar(type.name) && numbers.has(type.name);
  if (isNumber && typeof value === 'string' && isJsonNumber(value)) return exactNumber(value);
  return value as Json;
}
