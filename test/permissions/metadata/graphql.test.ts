import { expect, test } from 'vitest';
import type { RawTable } from '../../../permissions/metadata/schemas/tables/table.ts';
import { load, makeFolder, messagesForTable, minimalFiles } from './metadata-folder.ts';

async function tableOf(...lines: readonly string[]): Promise<RawTable | undefined> {
  const text = ['table: author', ...lines].join('\n');
  const folder = await makeFolder({ ...minimalFiles, 'tables/t.yaml': text });
  const { metadata, messages } = await load(folder);
  expect(messages).toEqual([]);
  return metadata?.tables[0];
}

test('a table file gives the GraphQL names and descriptions of table, columns and root fields, with positions', async () => {
  const table = await tableOf(
    'graphql:',
    '  name: Author',
    "  description: ''",
    '  columns:',
    '    author_id: id',
    '    bio: { name: biography, description: About them }',
    '    born: { description: A date }',
    '  root_fields:',
    '    select: authors',
    '    delete_by_pk: { name: forget_author, description: Forgets them }',
    "    delete: { description: '' }",
  );
  expect(table?.graphql).toMatchObject({
    name: { name: 'Author', position: { line: 3, column: 9 } },
    description: '',
    columns: [
      {
        column: { name: 'author_id', position: { line: 6, column: 5 } },
        name: { name: 'id', position: { line: 6, column: 16 } },
        description: undefined,
      },
      { column: { name: 'bio' }, name: { name: 'biography' }, description: 'About them' },
      { column: { name: 'born' }, name: undefined, description: 'A date' },
    ],
    rootFields: [
      {
        field: 'select',
        name: { name: 'authors', position: { line: 10, column: 13 } },
        description: undefined,
      },
      {
        field: 'delete_by_pk',
        name: { name: 'forget_author' },
        description: 'Forgets them',
      },
      { field: 'delete', name: undefined, description: '' },
    ],
  });
});

test('a table file without the key graphql gives no GraphQL names', async () => {
  const nothing = { name: undefined, description: undefined, columns: [], rootFields: [] };
  expect((await tableOf())?.graphql).toEqual(nothing);
  expect((await tableOf('graphql: {}'))?.graphql).toEqual(nothing);
});

test('a rule of a table file is backend_only only if the file sets that key', async () => {
  const table = await tableOf(
    'permissions:',
    '  a:',
    '    insert: { check: {}, columns: [], backend_only: true }',
    '    update: { filter: {}, columns: [], backend_only: true }',
    '    delete: { filter: {}, backend_only: true }',
    '  b:',
    '    insert: { check: {}, columns: [], backend_only: false }',
    '    update: { filter: {}, columns: [] }',
    '    delete: { filter: {} }',
  );
  const switches = table?.permissions.map((one) =>
    [one.insert, one.update, one.delete].map((rule) => rule?.backendOnly),
  );
  expect(switches).toEqual([
    [true, true, true],
    [false, false, false],
  ]);
});

test.each([
  ['{ kind: object, insertion_order: before_parent', 'remote'],
  ['{ kind: object, insertion_order: after_parent', 'local'],
  ['{ kind: array, insertion_order: after_parent', 'local'],
  ['{ kind: object', undefined],
])(
  'a manual relationship %s, … } records which of its two rows a nested insert writes first',
  async (written, insertFirst) => {
    const table = await tableOf(
      'relationships:',
      `  rate: ${written}, table: rate, columns: { currency: code } }`,
    );
    expect(table?.relationships).toMatchObject([{ name: 'rate', insertFirst }]);
  },
);

test.each([
  [
    'graphql: Author',
    '2:10 RG_SHAPE "graphql" must be a map with name, description, columns and root_fields, but is "Author"',
  ],
  [
    'graphql: { custom_name: a }',
    '2:12 RG_UNKNOWN_KEY unknown key "custom_name" in "graphql"; known keys are "name", "description", "columns", "root_fields"',
  ],
  [
    'graphql: { name: 1 }',
    '2:18 RG_SHAPE "name" must be the name of the table in GraphQL, but is 1; put it in quotes',
  ],
  [
    'graphql: { name: "" }',
    '2:18 RG_SHAPE "name" must be the name of the table in GraphQL, but is ""',
  ],
  [
    'graphql: { description: [] }',
    '2:25 RG_SHAPE "description" must be text, but is an empty list',
  ],
  [
    'graphql: { columns: [a] }',
    '2:21 RG_SHAPE "columns" must be a map of columns to their names in GraphQL, but is a list',
  ],
  [
    'graphql: { columns: { a: {} } }',
    '2:26 RG_SHAPE "a" must be a map with name and description, but is an empty map',
  ],
  [
    'graphql: { columns: { a: { nam: b } } }',
    '2:28 RG_UNKNOWN_KEY unknown key "nam" in "a"; did you mean "name"?',
  ],
  [
    'graphql: { root_fields: { select_agregate: a } }',
    '2:27 RG_UNKNOWN_KEY unknown key "select_agregate" in "root_fields"; did you mean "select_aggregate"?',
  ],
  [
    'permissions: { r: { delete: { filter: {}, backend_only: 1 } } }',
    '2:57 RG_SHAPE "backend_only" must be true or false, but is 1',
  ],
])('loading refuses a table file with %s', async (written, message) => {
  expect(await messagesForTable(`table: t\n${written}`)).toEqual([message]);
});
