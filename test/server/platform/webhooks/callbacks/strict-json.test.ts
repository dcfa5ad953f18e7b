import { describe, expect, test } from 'vitest';
import { parseStrictJson } from '../../../../../server/platform/webhooks/callbacks/receive/strict-json.ts';

const parse = (text: string) => parseStrictJson(Buffer.from(text));

test('parseStrictJson returns numbers as their source text, so that no digit is lost', () => {
  expect(parse('{"a": 10.10, "b": [0.1, -1e-7, 12345678901234567890.12]}').exact).toEqual({
    a: '10.10',
    b: ['0.1', '-1e-7', '12345678901234567890.12'],
  });
});

test('parseStrictJson reads all values that JSON allows', () => {
  const text = '{"a":{"b":"}{\\"[,"},"c":[[],{}],"":null,"b":"\\u00e9\\ud83d\\ude00"}';
  expect(parse(text).value).toEqual(JSON.parse(text));
});

test('parseStrictJson accepts the same key in different objects', () => {
  expect(parse('[{"a":1},{"a":{"a":2}}]').value).toEqual([{ a: 1 }, { a: { a: 2 } }]);
});

describe('parseStrictJson refuses', () => {
  test.each([
    ['an empty body', ''],
    ['a text that is not JSON', '{"a":}'],
    ['NaN', '{"a":NaN}'],
    ['a byte order mark', '\ufeff{}'],
    ['text after the JSON value', '{} {}'],
  ])('%s', (_name, text) => {
    expect(() => parse(text)).toThrow('the body is not valid JSON');
  });

  test.each([
    ['a key that occurs twice in one object', '{"a":1,"b":2,"a":3}'],
    ['a key that occurs twice in one object, once escaped', '{"a":1,"\\u0061":3}'],
    ['a key that occurs twice in a nested object', '[{"x":{"a":[],"a":{}}}]'],
  ])('%s', (_name, text) => {
    expect(() => parse(text)).toThrow('the body has a key twice in one object');
  });

  test.each([
    ['a NUL character in a text', '{"a":"x\\u0000"}'],
    ['a NUL character in a key', '{"\\u0000":1}'],
  ])('%s', (_name, text) => {
    expect(() => parse(text)).toThrow('the body holds a NUL character');
  });

  test('a text with half a surrogate pair', () => {
    expect(() => parse('{"a":"\\ud800"}')).toThrow('the body holds a lone surrogate');
  });

  test.each(['1e400', '-1e400', '1e-400', '1e309', `0.${'1'.repeat(200)}`, `1${'0'.repeat(400)}`])(
    'the number %s',
    (number) => {
      expect(() => parse(`{"a":${number}}`)).toThrow('too large, or has too many digits');
    },
  );

  test('more than 32 nested levels', () => {
    expect(() => parse(`${'['.repeat(33)}${']'.repeat(33)}`)).toThrow('nested deeper than 32');
    expect(parse(`${'['.repeat(32)}${']'.repeat(32)}`).value).toBeInstanceOf(Array);
  });

  test('half a million nested levels, without a stack overflow', () => {
    const text = `${'['.repeat(500_000)}${']'.repeat(500_000)}`;
    expect(() => parse(text)).toThrow('nested deeper than 32');
  });

  test('bytes that are not UTF-8', () => {
    const body = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
    expect(() => parseStrictJson(body)).toThrow('the body is not valid UTF-8');
  });
});
