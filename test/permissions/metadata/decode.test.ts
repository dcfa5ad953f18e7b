import { type Static, Type } from 'typebox';
import { expect, expectTypeOf, test } from 'vitest';
import { Report } from '../../../permissions/diagnostics.ts';
import {
  choice,
  decode,
  decoded,
  list,
  map,
  mapOf,
  named,
  node,
  object,
  optional,
  orEmpty,
  placed,
} from '../../../permissions/metadata/shape/shape.ts';
import { parseYaml } from '../../../permissions/metadata/yaml/parse-yaml.ts';

const report = new Report();
const yaml = (text: string) => parseYaml(text, 'f.yaml', report);
const at = (line: number, column: number) => ({ file: 'f.yaml', line, column });

test('decode turns the keys of a YAML map into camelCase and fills in defaults', () => {
  const schema = object(
    {
      max_rows: optional(Type.Integer(), 10),
      strict_keys: optional(Type.Boolean(), false),
      config: optional(Type.String()),
    },
    {},
  );
  expect(decode(schema, yaml('strict_keys: true'), report)).toEqual({
    ...{ maxRows: 10, strictKeys: true, config: undefined },
  });
  expectTypeOf<Static<typeof schema>>().toEqualTypeOf<{
    readonly maxRows: number;
    readonly strictKeys: boolean;
    readonly config: string | undefined;
  }>();
});

test('decode keeps the position of a value marked as placed, and of the keys of a map', () => {
  const schema = map(placed(Type.Enum(['a', 'b'])), {});
  expect(decode(schema, yaml('one: a\ntwo:  b\n'), report)).toEqual([
    { key: { name: 'one', position: at(1, 1) }, value: { name: 'a', position: at(1, 6) } },
    { key: { name: 'two', position: at(2, 1) }, value: { name: 'b', position: at(2, 7) } },
  ]);
});

test('decode adds its key as the name, and its position, to each value of a named map', () => {
  const schema = named(object({ limit: optional(Type.Integer()) }, {}), {});
  expect(decode(schema, yaml('a: {}\nb: { limit: 5 }\n'), report)).toEqual([
    { name: 'a', position: at(1, 1), limit: undefined },
    { name: 'b', position: at(2, 1), limit: 5 },
  ]);
});

test('decode keeps the entries of a map with fixed keys in the order of the file', () => {
  const schema = mapOf(['select', 'delete'], Type.String(), {});
  const entries = decode(schema, yaml('delete: a\nselect: b\n'), report);
  expect(entries.map(({ key, value }) => [key.name, value])).toEqual([
    ['delete', 'a'],
    ['select', 'b'],
  ]);
});

test('decode chooses the alternative of a choice by the YAML type of the value', () => {
  const schema = choice(
    [
      Type.Literal('*'),
      list(Type.String(), {}),
      decoded(map(Type.String(), {}), (entries) => entries.length),
    ],
    {},
  );
  const files = ['"*"', '[a, b]', '{ a: b }'].map((text) => decode(schema, yaml(text), report));
  expect(files).toEqual(['*', ['a', 'b'], 1]);
});

test('decode passes the value, its YAML node and its key to a decoding function', () => {
  const step = decoded(Type.String(), (value, place) => [
    ...[value, place.key.name, place.key.position, place.node.position],
  ]);
  const schema = object({ outer: list(step, {}) }, {});
  expect(decode(schema, yaml('outer: [x]\n'), report)).toEqual({
    outer: [['x', 'outer', at(1, 1), at(1, 9)]],
  });
});

test('decode reads an absent map like an empty one, with the position of the enclosing key', () => {
  const inner = decoded(object({ rows: optional(Type.Integer(), 5) }, {}), (raw, place) => ({
    ...{ ...raw, position: place.node.position },
  }));
  const schema = object({ a: object({ limits: orEmpty(inner) }, {}) }, {});
  const expected = { a: { limits: { rows: 5, position: at(1, 1) } } };
  expect(decode(schema, yaml('a: {}\n'), report)).toEqual(expected);
});

test('decode returns the YAML node itself where the schema is a node schema', () => {
  const root = yaml('[1.50]');
  expect(decode(node(Type.Unknown()), root, report)).toBe(root);
});

test('decode throws with the position when a value does not have the type of its schema', () => {
  const schema = object({ a: list(Type.String(), {}) }, {});
  expect(() => decode(schema, yaml('a: 5\n'), report)).toThrow(
    'f.yaml:1:4: a list was expected after validation',
  );
});

test('schemas for decode produce the same JSON Schema as plain TypeBox schemas', () => {
  const schema = object(
    { a: optional(placed(Type.String()), { name: '', position: at(1, 1) }) },
    {},
  );
  const plain = Type.Object({ a: Type.Optional(Type.String()) }, { additionalProperties: false });
  expect(JSON.stringify(schema)).toBe(JSON.stringify(plain));
});
