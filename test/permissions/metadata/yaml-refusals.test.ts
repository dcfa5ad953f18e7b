import { expect, test } from 'vitest';
import { messagesForTable } from './metadata-folder.ts';

test('loading reports every YAML syntax error of a file', async () => {
  expect(await messagesForTable('table: a: b\npermissions: "x\\q"\n')).toEqual([
    '1:8 RG_YAML_SYNTAX not valid YAML: Nested mappings are not allowed in compact mappings; begin a new line after the colon, or put the text in quotes',
    '2:16 RG_YAML_SYNTAX not valid YAML: Invalid escape sequence \\q',
  ]);
});

test.each([
  ['an anchor', 'table: &a t', '1:8 RG_YAML_FEATURE anchors are not accepted'],
  ['an anchor on a key', '&a table: t', '1:1 RG_YAML_FEATURE anchors are not accepted'],
  ['an alias', 'table: t\npermissions:\n  r: *a', '3:6 RG_YAML_FEATURE aliases are not accepted'],
  ['a merge key', 'table: t\n<<: {}', '2:1 RG_YAML_FEATURE merge keys are not accepted'],
  [
    'a merge key in a flow map',
    'table: t\npermissions: {<<: {}}',
    '2:15 RG_YAML_FEATURE merge keys are not accepted',
  ],
  ['a tag', 'table: !!str t', '1:8 RG_YAML_FEATURE tags are not accepted'],
  ['a tag on a block text', 'table: !x |\n  t', '1:8 RG_YAML_FEATURE tags are not accepted'],
  ['a directive', '%YAML 1.1\n---\ntable: t', '1:1 RG_YAML_FEATURE directives are not accepted'],
  [
    'a second document',
    'table: t\n---\ntable: u',
    '2:1 RG_YAML_FEATURE several documents in one file are not accepted',
  ],
])(
  'loading refuses %s in a metadata file, because its meaning is not obvious',
  async (_, text, message) => {
    const messages = await messagesForTable(text);
    expect(messages).toEqual([expect.stringContaining(message)]);
  },
);

test('loading reports each refused YAML feature without errors that only follow from it', async () => {
  expect(await messagesForTable('table: &a &b t\npermissions: !a !b\n')).toEqual([
    expect.stringMatching(/^1:8 RG_YAML_FEATURE anchors/),
    expect.stringMatching(/^1:11 RG_YAML_FEATURE anchors/),
    expect.stringMatching(/^2:14 RG_YAML_FEATURE tags/),
    expect.stringMatching(/^2:17 RG_YAML_FEATURE tags/),
  ]);
});

test('loading accepts the YAML markers of document start and end', async () => {
  expect(await messagesForTable('---\ntable: t\n...\n')).toEqual([]);
});

test.each([
  [
    'a tab that indents',
    'table: t\npermissions:\n\tr: {}',
    '3:1 RG_YAML_SYNTAX the line holds a tab',
  ],
  ['a tab that separates', 'table:\tt', '1:7 RG_YAML_SYNTAX the line holds a tab'],
  ['NUL', 'table: a\0b', '1:9 RG_YAML_SYNTAX the line holds the control character U+0000'],
  [
    'a lone carriage return',
    'table: a\rb: c',
    '1:9 RG_YAML_SYNTAX the line holds the control character U+000D',
  ],
  [
    'C1 controls',
    'table: a\u0085',
    '1:9 RG_YAML_SYNTAX the line holds the control character U+0085',
  ],
  [
    'a character that reverses text in a comment',
    'table: t # \u202e}',
    '1:12 RG_YAML_SYNTAX the line holds the control character U+202E',
  ],
])('loading refuses %s in a metadata file and names the character', async (_, text, message) => {
  expect(await messagesForTable(text)).toEqual([expect.stringContaining(message)]);
});

test('loading reports the first tab of every line', async () => {
  expect(await messagesForTable('table: t\n\ta: 1\n\n\tb: 2\n')).toEqual([
    '2:1 RG_YAML_SYNTAX the line holds a tab; indent and separate with spaces',
    '4:1 RG_YAML_SYNTAX the line holds a tab; indent and separate with spaces',
  ]);
});

test.each([
  [
    'an escaped character that reverses text in a name',
    'table: "a\\u202eb"',
    '1:8 RG_SHAPE "table" must be the name of a table',
  ],
  [
    'an escaped NUL in a name',
    'table: "a\\0b"',
    '1:8 RG_SHAPE "table" must be the name of a table',
  ],
  [
    'half a surrogate pair in a name',
    'table: "a\\ud800"',
    '1:8 RG_SHAPE "table" must be the name of a table',
  ],
  [
    'an escaped NUL in a key',
    'table: t\npermissions: { "r\\0": {} }',
    '2:16 RG_SHAPE the key "r\\u0000" holds the character U+0000',
  ],
  [
    'an invisible character in a key',
    'table: t\npermissions: { r\u200b: {} }',
    '2:16 RG_SHAPE the key "r\\u200b" holds the character U+200B',
  ],
])('loading refuses %s in a metadata file', async (_, text, message) => {
  expect(await messagesForTable(text)).toEqual([expect.stringContaining(message)]);
});

test('loading refuses a key that is written twice and names the line of the first', async () => {
  expect(await messagesForTable('table: t\npermissions: {}\n"table": u\n')).toEqual([
    '3:1 RG_DUPLICATE_KEY the key "table" is written twice; it is written first in line 1',
  ]);
});

test.each([
  ['a number', '1: x', '2:1 RG_SHAPE the key 1 is not text; write it in quotes'],
  ['true', 'true: x', '2:1 RG_SHAPE the key true is not text; write it in quotes'],
  ['null', '~: x', '2:1 RG_SHAPE the key ~ is not text; write it in quotes'],
  ['a missing key', ': x', '2:1 RG_SHAPE a key is empty; write it in quotes'],
  ['an empty text', '"": x', '2:1 RG_SHAPE a key is empty; use another name'],
  ['a list', '? [a]\n: x', '2:3 RG_SHAPE a map or list cannot be a key; write it in quotes'],
])('loading refuses %s as a key of a map', async (_, line, message) => {
  expect(await messagesForTable(`table: t\n${line}`)).toEqual([message]);
});

test.each(['0x1F', '0o17', '.inf', '-.inf', '.nan'])(
  'loading refuses %s, because the number is not decimal',
  async (number) => {
    const text = `table: t\npermissions: { r: { delete: { filter: { a: ${number} } } } }`;
    expect(await messagesForTable(text)).toEqual([
      `2:44 RG_SHAPE the number "${number}" is not decimal; write a decimal number, or quote it where it is text`,
    ]);
  },
);

test.each([
  ['zero bytes', ''],
  ['comments only', '# later\n'],
  ['a document start only', '---\n'],
])('loading refuses a metadata file of %s as empty', async (_, text) => {
  const [message] = await messagesForTable(text);
  expect(message).toBe('1:1 RG_SHAPE the file is empty; fill it, or delete it');
});

test('loading accepts 64 levels of nesting and refuses the 65th at its position', async () => {
  // The nesting starts below five levels: the file, permissions, the role, the rule and the filter.
  const nested = (levels: number) =>
    `table: t\npermissions: {r: {delete: {filter: {a: ${'['.repeat(levels - 5)}${']'.repeat(levels - 5)}}}}}`;
  expect(await messagesForTable(nested(64))).toEqual([]);
  expect(await messagesForTable(nested(65))).toEqual([
    '2:99 RG_TOO_DEEP maps and lists are nested deeper than 64 levels',
  ]);
});

test.each([
  ['lists', '['.repeat(200_000)],
  ['list items', '- '.repeat(200_000)],
  ['maps', '{a: '.repeat(100_000)],
  ['keys', '? '.repeat(200_000)],
])('loading refuses extremely nested %s without a stack overflow', async (_, text) => {
  expect(await messagesForTable(text)).toEqual([expect.stringContaining('RG_TOO_DEEP')]);
});

test('loading reports a hundred YAML errors of a file and counts the rest', async () => {
  const messages = await messagesForTable('\t\n'.repeat(150));
  expect(messages).toHaveLength(101);
  expect(messages.at(-1)).toBe('101:1 RG_YAML_SYNTAX 50 more mistakes follow in this file');
});
