import { expect, test } from 'vitest';
import type { RawMetadata } from '../../../permissions/metadata/load-metadata.ts';
import { load, makeFolder, messagesFor, minimalFiles } from './metadata-folder.ts';

async function loaded(files: Readonly<Record<string, string>>): Promise<RawMetadata> {
  const { metadata, messages } = await load(await makeFolder({ ...minimalFiles, ...files }));
  expect(messages).toEqual([]);
  expect(metadata).toBeDefined();
  return metadata as RawMetadata;
}

test('roles.yaml gives roles in the order of the file, with positions', async () => {
  const { roles } = await loaded({
    'roles.yaml': [
      'roles:',
      '  reader: {}',
      '  admin_of_one:',
      '    group: Core',
      '    purpose: manages',
      '    requires: [X-Gql-Organization-Id]',
    ].join('\n'),
  });
  expect(roles).toMatchObject([
    { name: 'reader', group: '', purpose: '', requires: [], position: { line: 2, column: 3 } },
    {
      name: 'admin_of_one',
      group: 'Core',
      purpose: 'manages',
      requires: [{ name: 'X-Gql-Organization-Id', position: { line: 6, column: 16 } }],
    },
  ]);
});

test('a table file gives the select, insert, update and delete rule of a role', async () => {
  const { tables } = await loaded({
    'tables/wallet.yaml': [
      'table: wallet',
      'permissions:',
      '  editor:',
      '    select: { filter: {}, columns: "*", allow_aggregations: true, limit: 100 }',
      '    insert: { check: { a: 1 }, set: { created_by: X-Gql-User-Id }, columns: [label] }',
      '    update: { filter: {}, columns: [label], check: {}, set: { state: 1 } }',
      '    delete: { filter: { status: draft } }',
    ].join('\n'),
  });
  expect(tables[0]?.permissions[0]).toMatchObject({
    role: { name: 'editor', position: { line: 3, column: 3 } },
    select: { columns: { kind: 'all' }, allowAggregations: true, limit: 100 },
    insert: {
      check: { kind: 'map', entries: [{ key: 'a' }] },
      set: [{ name: 'created_by', value: { value: 'X-Gql-User-Id' } }],
      columns: { kind: 'list', names: [{ name: 'label' }] },
    },
    update: { check: { kind: 'map', entries: [] }, set: [{ name: 'state' }] },
    delete: { filter: { entries: [{ key: 'status', value: { value: 'draft' } }] } },
  });
});

test('a rule without aggregation, limit, check and presets gets the defaults', async () => {
  const { tables } = await loaded({
    'tables/t.yaml':
      'table: t\npermissions: { r: { select: { filter: {}, columns: [] }, update: { filter: {}, columns: [a] } } }',
  });
  expect(tables[0]?.permissions[0]).toMatchObject({
    select: { allowAggregations: false, limit: undefined },
    insert: undefined,
    update: { check: undefined, set: [] },
    delete: undefined,
  });
});

test.each([
  ['invoice', 'public', 'invoice'],
  ['billing.invoice', 'billing', 'invoice'],
  ['"Odd Name"', 'public', 'Odd Name'],
  ['{ schema: odd.schema, name: odd.table }', 'odd.schema', 'odd.table'],
])(
  'a table file gives the schema and name of the table written as %s',
  async (written, schema, name) => {
    const { tables } = await loaded({ 'tables/t.yaml': `table: ${written}` });
    expect(tables).toMatchObject([{ schema, name, position: { line: 1, column: 8 } }]);
  },
);

test.each([
  ['{ column: user_id }', 'object', undefined, [['user_id', undefined]]],
  [
    '{ columns: [a, b] }',
    'object',
    undefined,
    [
      ['a', undefined],
      ['b', undefined],
    ],
  ],
  [
    '{ table: s.w, column: user_id }',
    'array',
    { schema: 's', table: 'w' },
    [[undefined, 'user_id']],
  ],
  [
    '{ table: w, columns: [a], kind: object }',
    'object',
    { schema: 'public', table: 'w' },
    [['a', undefined]],
  ],
  [
    '{ table: { schema: x.y, name: z }, columns: { a: b, c: d }, kind: array }',
    'array',
    { schema: 'x.y', table: 'z' },
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
])(
  'a table file gives kind, target table and columns of the relationship %s',
  async (written, kind, table, pairs) => {
    const { tables } = await loaded({
      'tables/t.yaml': `table: t\nrelationships:\n  found: ${written}`,
    });
    const [relationship] = tables[0]?.relationships ?? [];
    expect(relationship).toMatchObject({ name: 'found', kind, position: { line: 3, column: 3 } });
    expect(relationship?.table).toEqual(table && expect.objectContaining(table));
    expect(relationship?.columns.map(({ local, remote }) => [local?.name, remote?.name])).toEqual(
      pairs,
    );
  },
);

test('loading keeps the digits of a number as they are written, so that Postgres reads them unrounded', async () => {
  const { filters } = await loaded({
    'filters.yaml': 'filters: { f: { _in: [0.10, 9007199254740993, -1e3, "007"] } }',
  });
  const [filter] = filters;
  expect(JSON.stringify(filter)).toContain('"value":0.1,"source":"0.10"');
  expect(JSON.stringify(filter)).toContain('"source":"9007199254740993"');
  expect(JSON.stringify(filter)).toContain('"value":-1000,"source":"-1e3"');
  expect(JSON.stringify(filter)).toContain('"value":"007","source":"007"');
});

test('loading gives every node of a boolean expression its position in the file', async () => {
  const { filters } = await loaded({
    'filters.yaml':
      'filters:\n  mine:\n    _or:\n      - owner: { _eq: X-Gql-User-Id }\n      - public: true\n',
  });
  expect(filters[0]?.filter).toMatchObject({
    kind: 'map',
    position: { line: 3, column: 5 },
    entries: [
      {
        key: '_or',
        value: {
          kind: 'list',
          position: { line: 4, column: 7 },
          items: [
            { entries: [{ value: { position: { line: 4, column: 16 } } }] },
            { entries: [{ keyPosition: { line: 5, column: 9 }, value: { value: true } }] },
          ],
        },
      },
    ],
  });
});

test('rowgate.yaml turns strict_keys on, which is off by default', async () => {
  expect((await loaded({})).settings.strictKeys).toBe(false);
  expect((await loaded({ 'rowgate.yaml': 'strict_keys: true' })).settings.strictKeys).toBe(true);
});

test('rowgate.yaml turns references_visible on, which is off by default', async () => {
  expect((await loaded({})).settings.referencesVisible).toBe(false);
  const on = await loaded({ 'rowgate.yaml': 'references_visible: true' });
  expect(on.settings.referencesVisible).toBe(true);
});

test('rowgate.yaml turns default_relationships off, which is on by default', async () => {
  expect((await loaded({})).settings.defaultRelationships).toBe(true);
  const off = await loaded({ 'rowgate.yaml': 'default_relationships: false' });
  expect(off.settings.defaultRelationships).toBe(false);
});

test('rowgate.yaml declares session variables, of which there are none by default', async () => {
  expect((await loaded({})).settings.variables).toEqual([]);
  const text = 'variables:\n  X-Gql-Area: where somebody works\n  X-Gql-Team:\n';
  const { settings } = await loaded({ 'rowgate.yaml': text });
  expect(settings.variables.map(({ name }) => name)).toEqual(['X-Gql-Area', 'X-Gql-Team']);
});

test('loading reads table files from subfolders in a fixed order, with a byte order mark and Windows line endings', async () => {
  const { tables } = await loaded({
    'tables/b.yaml': 'table: b\r\n',
    'tables/a/z.yaml': '\ufefftable: z\r\npermissions: {}\r\n',
    'tables/README.md': 'not for Rowgate',
  });
  expect(tables.map((table) => table.name)).toEqual(['z', 'b']);
});

test('loading reports the mistakes of all files at once, sorted by position', async () => {
  const messages = await messagesFor({
    'roles.yaml': 'roles: { user: { purpose: 5 } }',
    'filters.yaml': 'filter: {}',
    'tables/a.yaml': 'table: a\npermissions:\n  user:\n    select: { filter: {}, colums: [] }\n',
    'tables/b.yaml': 'table: [\n',
  });
  expect(messages).toEqual([
    'filters.yaml:1:1 RG_SHAPE the file lacks "filters"; add "filters": a map of names to boolean expressions',
    'filters.yaml:1:1 RG_UNKNOWN_KEY unknown key "filter" in the file; did you mean "filters"?',
    'roles.yaml:1:27 RG_SHAPE "purpose" must be text, but is 5; put it in quotes',
    'tables/a.yaml:4:5 RG_SHAPE "select" lacks "columns"; add "columns": \'*\' or a list of column names',
    'tables/a.yaml:4:27 RG_UNKNOWN_KEY unknown key "colums" in "select"; did you mean "columns"?',
    'tables/b.yaml:2:1 RG_YAML_SYNTAX not valid YAML: Flow sequence in block collection must be sufficiently indented and end with a ]; indent everything of one level by the same number of spaces',
  ]);
});

test('loading returns no metadata if any file has a mistake', async () => {
  const folder = await makeFolder({ ...minimalFiles, 'rowgate.yaml': 'strict_keys: 1' });
  expect((await load(folder)).metadata).toBeUndefined();
});
