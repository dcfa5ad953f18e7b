import { expect, test } from 'vitest';
import { messagesFor, messagesForTable } from './metadata-folder.ts';

const rule = (text: string) => `table: t\npermissions:\n  r:\n    ${text}\n`;

test.each([
  [
    'a table is missing',
    'permissions: {}',
    '1:1 RG_SHAPE the file lacks "table"; add "table": the name of a table, or { schema: …, name: … } where names hold dots',
  ],
  [
    'the file is a list',
    '- table: t',
    '1:1 RG_SHAPE the file must be a map with table and permissions, but is a list',
  ],
  [
    'the file is null',
    '~',
    '1:1 RG_SHAPE the file must be a map with table and permissions, but is ~',
  ],
  [
    'permissions are a list',
    'table: t\npermissions: [r]',
    '2:14 RG_SHAPE "permissions" must be a map of roles to rules, but is a list',
  ],
  [
    'a role is empty',
    'table: t\npermissions:\n  r:\n',
    '3:3 RG_SHAPE "r" must be the rules of one role: select, insert, update and delete, but is empty',
  ],
  [
    'a rule has no filter',
    rule('select: { columns: [] }'),
    '4:5 RG_SHAPE "select" lacks "filter"; add "filter": a boolean expression, {} for every row',
  ],
  [
    'an insert has no check',
    rule('insert: { columns: [] }'),
    '4:5 RG_SHAPE "insert" lacks "check"; add "check": a boolean expression, {} for every row',
  ],
  [
    'an insert has no columns',
    rule('insert: { check: {} }'),
    '4:5 RG_SHAPE "insert" lacks "columns"; add "columns": \'*\' or a list of column names',
  ],
  [
    'an update has no columns',
    rule('update: { filter: {} }'),
    '4:5 RG_SHAPE "update" lacks "columns"; add "columns": \'*\' or a list of column names',
  ],
  [
    'a delete is empty',
    rule('delete:'),
    '4:5 RG_SHAPE "delete" must be a delete rule, but is empty',
  ],
  [
    'a filter is left empty',
    rule('delete: { filter: }'),
    '4:15 RG_SHAPE "filter" must be a boolean expression, {} for every row, but is empty',
  ],
  [
    'a filter is a list',
    rule('delete: { filter: [] }'),
    '4:23 RG_SHAPE "filter" must be a boolean expression, {} for every row, but is an empty list',
  ],
  [
    'aggregation is a text',
    rule('select: { filter: {}, columns: [], allow_aggregations: yes }'),
    '4:60 RG_SHAPE "allow_aggregations" must be true or false, but is "yes"',
  ],
  [
    'a query root field is unknown',
    rule('select: { filter: {}, columns: [], query_root_fields: [insert] }'),
    '4:60 RG_SHAPE item 1 of "query_root_fields" must be select or select_by_pk or select_aggregate, but is "insert"',
  ],
  [
    'a subscription root field is unknown',
    rule('select: { filter: {}, columns: [], subscription_root_fields: [stream] }'),
    '4:67 RG_SHAPE item 1 of "subscription_root_fields" must be select or select_by_pk or select_aggregate or select_stream, but is "stream"',
  ],
  [
    'columns are a number',
    rule('select: { filter: {}, columns: 5 }'),
    `4:36 RG_SHAPE "columns" must be '*' or a list of column names, but is 5`,
  ],
  [
    'columns are a name',
    rule('select: { filter: {}, columns: id }'),
    `4:36 RG_SHAPE "columns" must be '*' or a list of column names, but is "id"`,
  ],
  [
    'a column is not text',
    rule('select: { filter: {}, columns: [id, true] }'),
    '4:41 RG_SHAPE item 2 of "columns" must be the name of a column, but is true; put it in quotes',
  ],
  [
    'a column is empty',
    rule('select: { filter: {}, columns: [""] }'),
    '4:37 RG_SHAPE item 1 of "columns" must be the name of a column, but is ""',
  ],
  [
    'a limit is negative',
    rule('select: { filter: {}, columns: [], limit: -1 }'),
    '4:47 RG_SHAPE "limit" must be a whole number from 0 to 2147483647, but is -1',
  ],
  [
    'a limit is a fraction',
    rule('select: { filter: {}, columns: [], limit: 1.5 }'),
    '4:47 RG_SHAPE "limit" must be a whole number from 0 to 2147483647, but is 1.5',
  ],
  [
    'presets are a list',
    rule('insert: { check: {}, columns: [], set: [a] }'),
    '4:44 RG_SHAPE "set" must be a map of columns to values or session variables, but is a list',
  ],
  [
    'a command is unknown',
    rule('selct: {}'),
    '4:5 RG_UNKNOWN_KEY unknown key "selct" in "r"; did you mean "select"?',
  ],
  [
    'a key is similar to no known key',
    rule('delete: { filter: {}, validate: true }'),
    '4:27 RG_UNKNOWN_KEY unknown key "validate" in "delete"; known keys are "filter", "backend_only"',
  ],
  [
    'a table name has three parts',
    'table: a.b.c',
    '1:8 RG_SHAPE "a.b.c" does not name one table; write table, schema.table, or { schema: …, name: … } where a name holds a dot',
  ],
  [
    'a table name ends in a dot',
    'table: a.',
    '1:8 RG_SHAPE "a." does not name one table; write table, schema.table, or { schema: …, name: … } where a name holds a dot',
  ],
  [
    'a table name is a number',
    'table: 5',
    '1:8 RG_SHAPE "table" must be the name of a table, or { schema: …, name: … } where names hold dots, but is 5',
  ],
  [
    'a schema has no name',
    'table: { schema: a }',
    '1:1 RG_SHAPE "table" lacks "name"; add "name": the name of a table',
  ],
])('loading refuses a table file at the position where %s', async (_, text, message) => {
  expect(await messagesForTable(text)).toEqual([message]);
});

test.each([
  [
    '{}',
    '3:3 RG_SHAPE the relationship "x" names no columns; add column: the foreign key column, here or on the other table',
  ],
  [
    '{ column: a, columns: [b] }',
    '3:3 RG_SHAPE the relationship "x" has both column and columns; keep one of them',
  ],
  [
    '{ table: u, columns: { a: b } }',
    '3:3 RG_SHAPE the relationship "x" pairs columns by hand without naming table and kind; add table, and kind: object or kind: array',
  ],
  [
    '{ column: a, kind: array }',
    '3:3 RG_SHAPE the relationship "x" is an array without a table; add table: the table that the rows come from',
  ],
  [
    '{ table: u, column: a, kind: list }',
    '3:35 RG_SHAPE "kind" must be object or array, but is "list"',
  ],
  ['{ columns: [] }', '3:17 RG_SHAPE "columns" must be a list of columns, but is an empty list'],
  [
    '{ table: u, kind: array, columns: { a: 1 } }',
    '3:45 RG_SHAPE "a" must be the name of a column of the other table, but is 1; put it in quotes',
  ],
  [
    '{ table: a.b.c, column: a }',
    '3:15 RG_SHAPE "a.b.c" does not name one table; write table, schema.table, or { schema: …, name: … } where a name holds a dot',
  ],
  [
    '{ column: a, insertion_order: after_parent }',
    '3:3 RG_SHAPE the relationship "x" has an insertion_order, which its foreign key decides; leave insertion_order out',
  ],
  [
    '{ table: u, columns: { a: b }, kind: array, insertion_order: before_parent }',
    '3:3 RG_SHAPE the relationship "x" is an array whose rows would be written before what they belong to; leave insertion_order out',
  ],
  [
    '{ table: u, columns: { a: b }, kind: object, insertion_order: later }',
    '3:68 RG_SHAPE "insertion_order" must be before_parent or after_parent, but is "later"',
  ],
])('loading refuses the relationship %s and says what is wrong', async (written, message) => {
  const text = `table: t\nrelationships:\n  x: ${written}`;
  expect(await messagesForTable(text)).toEqual([message]);
});

test('loading reports every mistake of one file', async () => {
  const text = [
    'tabel: t',
    'permissions:',
    '  r:',
    '    select: { filter: 1, columns: [a, 2, 3] }',
    '    delete: {}',
    'relationships: { x: { table: { schema: s, nam: n }, column: c } }',
  ].join('\n');
  const messages = await messagesForTable(text);
  expect(messages.map((message) => message.replace(/^(\S+ \S+).*$/, '$1'))).toEqual([
    '1:1 RG_SHAPE',
    '1:1 RG_UNKNOWN_KEY',
    '4:23 RG_SHAPE',
    '4:39 RG_SHAPE',
    '4:42 RG_SHAPE',
    '5:5 RG_SHAPE',
    '6:23 RG_SHAPE',
    '6:43 RG_UNKNOWN_KEY',
  ]);
});

test('loading reports a hundred mistakes of a file and only counts the rest', async () => {
  const numbers = Array.from({ length: 5000 }, (_, i) => i).join(', ');
  const messages = await messagesForTable(rule(`select: { filter: {}, columns: [${numbers}] }`));
  expect(messages).toHaveLength(101);
  expect(messages).toContain('1:1 RG_SHAPE 4900 more mistakes are in this file');
});

test('loading refuses the second of two files for the same table and names the first', async () => {
  const messages = await messagesFor({
    'tables/a.yaml': 'table: invoice',
    'tables/b.yaml': '# a copy\ntable: { schema: public, name: invoice }',
  });
  expect(messages).toEqual([
    expect.stringMatching(
      /^tables\/b\.yaml:2:8 RG_DUPLICATE_TABLE the table "public\.invoice" is described in tables\/a\.yaml too/,
    ),
  ]);
});

test.each([
  [
    'roles.yaml',
    'roles: { r: { requires: X } }',
    '1:25 RG_SHAPE "requires" must be a list of session variables, but is "X"',
  ],
  [
    'roles.yaml',
    'roles: { r: { inherit: [] } }',
    '1:15 RG_UNKNOWN_KEY unknown key "inherit" in "r"; did you mean "inherits"?',
  ],
  [
    'filters.yaml',
    'filters: { mine: true }',
    '1:18 RG_SHAPE "mine" must be a boolean expression, {} for every row, but is true',
  ],
  [
    'rowgate.yaml',
    'strict_key: true',
    '1:1 RG_UNKNOWN_KEY unknown key "strict_key" in the file; did you mean "strict_keys"?',
  ],
  [
    'rowgate.yaml',
    'variables: [X-Gql-User-Id]',
    '1:12 RG_SHAPE "variables" must be a map of session variables to descriptions, but is a list',
  ],
  [
    'rowgate.yaml',
    'variables: { X-Gql-User-Id: { type: uuid } }',
    '1:29 RG_SHAPE "X-Gql-User-Id" must be a description, or nothing, but is a map',
  ],
])('loading refuses a mistake in %s and names its position', async (file, text, message) => {
  expect(await messagesFor({ [file]: text })).toEqual([`${file}:${message}`]);
});
