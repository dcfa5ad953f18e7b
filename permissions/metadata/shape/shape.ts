import {
  type Static,
  type TProperties,
  type TSchema,
  type TSchemaOptions,
  type TUnsafe,
  Type,
} from 'typebox';
import type { Position, Report } from '../../diagnostics.ts';
import type { RawEntry, RawName, RawNode } from '../yaml/node.ts';

/*
 * Building blocks for the schemas of metadata files. A shape is a TypeBox schema with two more uses: it is exported for
 * editors, and it decodes a valid file. `Static<>` of a shape is the type of the decoded value.
 * Decoding turns keys in snake_case into camelCase. A plain TypeBox schema stands for a scalar and loses its position
 * in the file; `placed`, `map` and `node` keep positions for later messages. A `decoded` step can read the position of
 * its value and key.
 */

/** The context of a value in its file. */
export interface Place {
  /** The key that holds the value. For an item of a list, the key that holds the list. */
  readonly key: RawName;
  readonly node: RawNode;
  readonly report: Report;
}

type Above = Omit<Place, 'node'>;
type Reader<T> = (node: RawNode | undefined, above: Above) => T;

const reader = Symbol('reader');

/** A schema whose valid values are decoded to `T`. */
export interface Shape<T> extends TUnsafe<T> {
  readonly [reader]: Reader<T>;
}

/** A value with its position. */
export interface Placed<T> {
  readonly name: T;
  readonly position: Position;
}

/**
 * Decodes a file that is already valid by its schema. `undefined` represents an absent file, which only `orEmpty`
 * shapes accept.
 */
export function decode<S extends TSchema>(
  schema: S,
  root: RawNode | undefined,
  report: Report,
): Static<S> {
  const position = root?.position ?? { file: '', line: 1, column: 1 };
  return readerOf(schema)(root, { key: { name: '', position }, report });
}

/** A map that may have only the given keys. */
export function object<P extends TProperties>(
  properties: P,
  options: TSchemaOptions,
): Shape<ObjectOf<P>> {
  const fields = Object.entries(properties).map(
    ([key, schema]) => [key, camelCase(key), readerOf(schema)] as const,
  );
  return shapeOf(
    Type.Object(properties, { additionalProperties: false, ...options }),
    (node, above) => {
      const entries = new Map(entriesOf(node, above).map((entry) => [entry.key, entry]));
      const values = fields.map(([key, name, read]) => {
        const entry = entries.get(key);
        return [name, read(entry?.value, entry ? { ...above, key: keyOf(entry) } : above)];
      });
      return Object.fromEntries(values);
    },
  );
}

type ObjectOf<P extends TProperties> = {
  readonly [K in keyof P & string as CamelCase<K>]: Static<P[K]>;
};

type CamelCase<K extends string> = K extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : K;

function camelCase(key: string): string {
  return key.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

/** A key that may be omitted, with an optional default value. */
export function optional<S extends TSchema>(schema: S): Shape<Static<S> | undefined>;
export function optional<S extends TSchema>(schema: S, fallback: Static<S>): Shape<Static<S>>;
export function optional<S extends TSchema>(
  schema: S,
  fallback?: Static<S>,
): Shape<Static<S> | undefined> {
  const read = readerOf(schema);
  return shapeOf(Type.Optional(schema), (node, above) => (node ? read(node, above) : fallback));
}

/** A key that may be omitted. An omitted key means the same as an empty map. */
export function orEmpty<S extends TSchema>(schema: S): Shape<Static<S>> {
  const read = readerOf(schema);
  return shapeOf(Type.Optional(schema), (node, above) =>
    read(node ?? { kind: 'map', entries: [], position: above.key.position }, above),
  );
}

/** A list of values of one shape. */
export function list<S extends TSchema>(
  item: S,
  options: TSchemaOptions,
): Shape<readonly Static<S>[]> {
  const read = readerOf(item);
  return shapeOf(Type.Array(item, options), (node, above) => {
    if (node?.kind !== 'list') throw unexpected(node, above, 'list');
    return node.items.map((one) => read(one, above));
  });
}

/** A key chosen by the author of the file, and its value. */
export interface MapEntry<T, K extends string = string> {
  readonly key: Placed<K>;
  readonly value: T;
}

/** A map with keys chosen by the author of the file, in the order of the file. */
export function map<S extends TSchema>(
  value: S,
  options: TSchemaOptions,
): Shape<readonly MapEntry<Static<S>>[]> {
  return shapeOf(Type.Record(Type.String(), value, options), entriesReader(value));
}

/** A map with keys of a fixed set and values of one shape, in the order of the file. */
export function mapOf<K extends string, S extends TSchema>(
  keys: readonly K[],
  value: S,
  options: TSchemaOptions,
): Shape<readonly MapEntry<Static<S>, K>[]> {
  const properties = Object.fromEntries(keys.map((key) => [key, Type.Optional(value)]));
  const schema = Type.Object(properties, { additionalProperties: false, ...options });
  return shapeOf(schema, entriesReader<S, K>(value));
}

function entriesReader<S extends TSchema, K extends string = string>(
  value: S,
): Reader<readonly MapEntry<Static<S>, K>[]> {
  const read = readerOf(value);
  return (node, above) =>
    entriesOf(node, above).map((entry) => {
      const key = keyOf(entry) as Placed<K>;
      return { key, value: read(entry.value, { ...above, key }) };
    });
}

/** A map of names to values. Each value gets its name and position. */
export function named<T extends object>(
  value: Shape<T>,
  options: TSchemaOptions,
): Shape<readonly (RawName & T)[]> {
  return decoded(map(value, options), (entries) =>
    entries.map((entry) => ({ ...entry.key, ...entry.value })),
  );
}

/**
 * One of several shapes. At most one of them may be a text, one a list and one a map, so that the YAML type of a value
 * decides its shape.
 */
export function choice<S extends TSchema[]>(
  alternatives: readonly [...S],
  options: TSchemaOptions,
): Shape<Static<S[number]>> {
  const kindOf = (schema: TSchema) => {
    const type = 'type' in schema ? schema.type : undefined;
    return type === 'array' ? 'list' : type === 'object' ? 'map' : 'scalar';
  };
  const readers = new Map(alternatives.map((schema) => [kindOf(schema), readerOf(schema)]));
  return shapeOf(Type.Union([...alternatives], options), (node, above) => {
    const read = node && readers.get(node.kind);
    if (!read) throw unexpected(node, above, 'value');
    return read(node, above);
  });
}

/** A value with its position. */
export function placed<S extends TSchema>(schema: S): Shape<Placed<Static<S>>> {
  return decoded(schema, (name, { node }) => ({ name, position: node.position }));
}

/** Any value that the schema allows, undecoded and with all of its positions. */
export function node(schema: TSchema): Shape<RawNode> {
  return shapeOf(schema, (found, above) => {
    if (!found) throw unexpected(found, above, 'value');
    return found;
  });
}

/** A shape that transforms its values by `step`. The step can also report mistakes that the schema cannot express. */
export function decoded<S extends TSchema, T>(
  schema: S,
  step: (value: Static<S>, place: Place) => T,
): Shape<T> {
  const read = readerOf(schema);
  return shapeOf(schema, (found, above) => {
    if (!found) throw unexpected(found, above, 'value');
    return step(read(found, above), { ...above, node: found });
  });
}

function shapeOf<T>(schema: TSchema, read: Reader<T>): Shape<T> {
  const copy = Type.Unsafe<T>(schema);
  return Object.defineProperty(copy, reader, { value: read, configurable: true }) as Shape<T>;
}

function readerOf<S extends TSchema>(schema: S): Reader<Static<S>> {
  if (reader in schema) return schema[reader] as Reader<Static<S>>;
  return (found, above) => {
    if (found?.kind !== 'scalar') throw unexpected(found, above, 'scalar');
    return found.value as Static<S>;
  };
}

function entriesOf(found: RawNode | undefined, above: Above): readonly RawEntry[] {
  if (found?.kind !== 'map') throw unexpected(found, above, 'map');
  return found.entries;
}

function keyOf({ key, keyPosition }: RawEntry): RawName {
  return { name: key, position: keyPosition };
}

/** Makes the error for a value that the schema accepted but decoding refused, which is always a defect of Rowgate. */
function unexpected(found: RawNode | undefined, { key }: Above, expected: string): TypeError {
  const { file, line, column } = found?.position ?? key.position;
  return new TypeError(`${file}:${line}:${column}: a ${expected} was expected after validation`);
}
