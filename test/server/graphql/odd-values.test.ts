import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dataOf } from './support/data-of.ts';
import { errorOf } from './support/error-of.ts';
import { type Gateway, startGateway } from './support/gateway.ts';
import { keeper, metadata, name, schema } from './support/odd-types.ts';

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ schema, metadata });
});
afterAll(() => gateway.stop());

const data = async (query: string, variables: unknown = {}, ask = keeper('ann')) => {
  return dataOf(await gateway.ask(query, { ...ask, with: variables }));
};

describe('texts with quotes, backslashes and other special characters', () => {
  const hostile = [
    ...[
      "'",
      '"',
      '\\',
      "\\'; drop table odd; --",
      '$1',
      '$$',
      '{}',
      '{"a":1}',
      '[1]',
      '(1,2)',
      'NULL',
    ],
    ...[
      '%',
      '_',
      '\u2028',
      '\u{1F600}',
      'é',
      'e\u0301',
      '\t\r\n',
      '=>',
      '"a"=>"b"',
      '\ufeff',
      '/*',
      ':x',
      '?',
    ],
  ];

  beforeAll(async () => {
    const objects = hostile.map((text) => ({
      ...{ word: text, folded: text, document: { [text]: text }, words: [text, null] },
      ...{ map: { [text]: text }, twin: { b: text, c: [text], d: text } },
    }));
    const insert =
      'mutation ($o: [odd_insert_input!]!) { insert_odd(objects: $o) { affected_rows } }';
    await data(insert, { o: objects }, keeper('eve'));
  });

  test('are returned as they were written', async () => {
    const query =
      '{ odd(order_by: {id: asc}) { word folded document words map twin { } } }'.replace(
        ' { }',
        '',
      );
    const { odd: rows } = await data(query, {}, keeper('eve'));
    expect(rows).toEqual(
      hostile.map((text) => ({
        ...{ word: text, folded: text, document: { [text]: text }, words: [text, null] },
        ...{ map: { [text]: text }, twin: { a: null, b: text, c: [text], d: text } },
      })),
    );
  });

  test.each([
    ['word', (text: string) => ({ word: { _eq: text } })],
    ['folded', (text: string) => ({ folded: { _in: [text] } })],
    ['document', (text: string) => ({ document: { _contains: { [text]: text } } })],
    ['document by key', (text: string) => ({ document: { _has_key: text } })],
    ['words', (text: string) => ({ words: { _contains: [text] } })],
    ['map', (text: string) => ({ map: { _eq: { [text]: text } } })],
    ['twin', (text: string) => ({ twin: { _eq: { b: text, c: [text], d: text } } })],
    ['a cast', (text: string) => ({ folded: { _cast: { String: { _eq: text } } } })],
  ])('match the row that contains them by %s', async (_, where) => {
    const fields = hostile.map((__, index) => `f${index}: odd(where: $f${index}) { word }`);
    const declared = hostile.map((__, index) => `$f${index}: odd_bool_exp!`);
    const variables = Object.fromEntries(hostile.map((text, index) => [`f${index}`, where(text)]));
    const found = await data(
      `query (${declared}) { ${fields.join(' ')} }`,
      variables,
      keeper('eve'),
    );
    expect(found).toEqual(
      Object.fromEntries(hostile.map((text, index) => [`f${index}`, [{ word: text }]])),
    );
  });
});

describe('a value that does not fit its type', () => {
  const insert = 'mutation ($o: odd_insert_input!) { insert_odd_one(object: $o) { id } }';
  const place = '$.selectionSet.insert_odd_one.args.object';

  test.each([
    [
      { word: 'a\u0000b' },
      `parse-failed ${place}.word a text contains the character U+0000, which Postgres cannot store`,
    ],
    [
      { words: ['\ud800'] },
      `parse-failed ${place}.words[0] a text contains one half of a surrogate pair, which is not a character`,
    ],
    [
      { document: { a: '\ud800' } },
      `parse-failed ${place}.document.a a text contains one half of a surrogate pair, which is not a character`,
    ],
    [
      { document: { 'a\u0000': 1 } },
      `parse-failed ${place}.document a text contains the character`,
    ],
    [{ document: { a: [1, '\u0000'] } }, `parse-failed ${place}.document.a[1] a text contains the`],
    [{ words: '{\ud800}' }, `parse-failed ${place}.words a text contains one half`],
    [{ map: { k: 'a\ud800' } }, `parse-failed ${place}.map.k a text contains one half`],
    [{ map: { 'a\ud800': 'k' } }, `parse-failed ${place}.map a text contains one half`],
    [
      { map: { k: ['x'] } },
      `parse-failed ${place}.map.k expected a string for type 'String', but found a list`,
    ],
    [{ map: 5 }, `parse-failed ${place}.map expected an object for type 'hstore'`],
    [{ twin: { b: '\ud800' } }, `parse-failed ${place}.twin.b a text contains one half`],
    [
      { twin: { b: { x: 1 } } },
      `parse-failed ${place}.twin.b expected a string for type 'String', but found an object`,
    ],
    [{ twin: { b: ['x', 'y'] } }, `parse-failed ${place}.twin.b expected a string`],
    [{ twin: { a: 1.5 } }, `parse-failed ${place}.twin.a The value 1.5 lies outside the bounds`],
    [{ twin: { c: ['x', { y: 1 }] } }, `parse-failed ${place}.twin.c[1] expected a string`],
    [{ twin: { e: 1 } }, `parse-failed ${place}.twin.e type 'pair' has no field 'e'`],
    [
      { words: [[[[[[['x']]]]]]] },
      `data-exception ${place} a value is larger, or has more dimensions, than its type can have`,
    ],
    [
      { document: 'a\u0000' },
      `parse-failed ${place}.document a text contains the character U+0000, which Postgres cannot store`,
    ],
    [{ twin: [1] }, 'parse-failed'],
    [{ number: '99999999999' }, `data-exception ${place} a number is out of the range of its type`],
    [{ number: 99999999999 }, `parse-failed ${place}.number`],
    [
      { label: 'happy' },
      `validation-failed ${place}.label expected one of the values ['sad', 'so-so'] for type 'mood', but found 'happy'`,
    ],
    [{ oid_of: 'no_such_table' }, `data-exception ${place} a value does not suit its type`],
    [{ path: 'a b' }, `parse-failed ${place}.path`],
    [{ [name(3)]: 'nobody' }, 'constraint-violation'],
  ])('is refused with an error that does not quote the value: %j', async (object, message) => {
    const answer = await gateway.ask(insert, { ...keeper('ann'), with: { o: object } });
    expect(errorOf(answer)).toContain(message);
    expect(errorOf(answer)).not.toMatch(/nobody|no_such_table|99999999999/);
  });

  test.each([
    ['twin: 12345678901234567890', `${place}.twin expected an object for type 'pair'`],
    ['twin: {a: 1e400}', `${place}.twin.a The value 1.0e400 lies outside the bounds`],
    ['twin: {b: $x}', '$ expected a single value, but found a list'],
    ['map: {k: $x}', '$ expected a single value, but found a list'],
    ['document: {k: $y}', '$.variableValues.y a text contains one half of a surrogate pair'],
  ])('is refused if the document contains it: %s', async (field, message) => {
    const query = `mutation ($x: jsonb, $y: jsonb) { insert_odd_one(object: {${field}}) { id } }`;
    const variables = { x: ['a'], y: field.includes('$y') ? 'a\ud800' : null };
    const answer = await gateway.ask(query, { ...keeper('ann'), with: variables });
    expect(errorOf(answer)).toContain(`parse-failed ${message}`);
  });

  test('is refused in where too', async () => {
    const query = 'query ($w: odd_bool_exp!) { odd(where: $w) { id } }';
    const ask = { ...keeper('ann'), with: { w: { twin: { _eq: { a: [1] } } } } };
    expect(errorOf(await gateway.ask(query, ask))).toBe(
      "parse-failed $.selectionSet.odd.args.where.twin._eq.a expected a 32-bit integer for type 'Int', but found a list",
    );
  });
});

describe('a comparison of a column of an unusual type', () => {
  beforeAll(async () => {
    await data(
      `mutation ($o: [odd_insert_input!]!) { insert_odd(objects: $o) { affected_rows } }`,
      {
        o: [
          { word: 'x', folded: 'MiXed', path: 'Top.Art.Modern', document: { a: 'B' } },
          { word: 'y', folded: 'mixed', path: 'Top.Science', document: 'text' },
          { word: 'z', folded: 'Other', path: 'Bottom', document: 12 },
        ],
      },
      keeper('cy'),
    );
  });

  test.each([
    ['{folded: {_eq: "MIXED"}}', 'xy'],
    ['{folded: {_neq: "MIXED"}}', 'z'],
    ['{folded: {_in: ["MIXED", null]}}', 'refused'],
    ['{folded: {_nin: ["MIXED"]}}', 'z'],
    ['{folded: {_gt: "MIXED"}}', 'z'],
    ['{folded: {_lte: "MIXED"}}', 'xy'],
    ['{folded: {_like: "MIX%"}}', 'xy'],
    ['{folded: {_nregex: "^MIX"}}', 'z'],
    ['{folded: {_cast: {String: {_like: "M%"}}}}', 'x'],
    ['{path: {_ancestor: "Top.Art.Modern.Late"}}', 'x'],
    ['{path: {_ancestor_any: ["Top.Science.X", "Bottom.Y"]}}', 'yz'],
    ['{path: {_descendant: "Top"}}', 'xy'],
    ['{path: {_descendant_any: ["Top.Art", "Bottom"]}}', 'xz'],
    ['{path: {_matches: "*.Sci*"}}', 'y'],
    ['{path: {_matches_any: ["*.Sci*", "Bot*"]}}', 'yz'],
    ['{path: {_matches_fulltext: "art@ | bottom@"}}', 'xz'],
    ['{path: {_matches_fulltext_any: ["art@", "Science"]}}', 'xy'],
    ['{document: {_cast: {String: {_like: "%B%"}}}}', 'x'],
    ['{document: {_cast: {String: {_eq: "12"}}}}', 'z'],
    ['{document: {_cast: {}}}', 'xyz'],
  ])('in %s selects %s', async (where, expected) => {
    const query = `{ odd(where: ${where}, order_by: {word: asc}) { word } }`;
    const { data: found } = await gateway.ask(query, keeper('cy'));
    const words = found?.odd.map((row: { word: string }) => row.word).join('') ?? 'refused';
    expect(words).toBe(expected);
  });

  test.each([
    ['{path: {_matches: "a b ("}}'],
    ['{path: {_matches_fulltext_any: ["("]}}'],
    ['{oid_of: {_eq: "no_such_table"}}'],
    ['{c4: {_eq: "[5,1)"}}'],
  ])('with a value that Postgres refuses is reported as an error: %s', async (where) => {
    const answer = errorOf(await gateway.ask(`{ odd(where: ${where}) { id } }`, keeper('cy')));
    expect(answer).toMatch(/^data-exception \$/);
  });
});
