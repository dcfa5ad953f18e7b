import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { query } from '../../support/query.ts';
import {
  importMetadata,
  metadataOf,
  runImport,
  temporaryFolder,
  writeTree,
} from './import-folder.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
  await query(database.ownerUrl, 'create table author (id integer primary key)');
});
afterAll(() => database.drop());

const action = (name: string, output: string, role: string) => ({
  name,
  definition: { type: 'query', output_type: output, handler: '/h', arguments: [] },
  permissions: [{ role }],
});

const relationship = (name: string, column: string) => ({
  name,
  type: 'object',
  remote_table: 'author',
  field_mapping: { id: column },
});

test('an import omits the parts of actions that Rowgate refuses and everything that depends on them, and reports each', async () => {
  const metadata = metadataOf([{ table: 'author' }], {
    actions: [action('fine', 'Fine', 'user'), action('lost', 'Lost!', 'reader')],
    custom_types: {
      objects: [
        {
          name: 'Fine',
          fields: [{ name: 'id', type: 'Int!' }],
          relationships: [relationship('author', 'id'), relationship('other', 'idd')],
        },
        { name: 'Lost', fields: [{ name: 'place', type: 'geography' }] },
      ],
      enums: [{ name: 'Old', values: [{ value: 'gone', is_deprecated: true }] }],
    },
  });
  const { files, stdout, code } = await importMetadata(
    metadata,
    { 'allow-partial': true },
    database,
  );
  expect(code).toBe(0);
  expect(files?.['actions.yaml']).toBe(`actions:
  fine:
    type: query
    output_type: Fine
    handler: /h
    permissions: [ user ]
custom_types:
  objects:
    Fine:
      fields: { id: Int! }
      relationships: { author: { table: author, field_mapping: { id: id } } }
  enums:
    Old: { values: [ gone ] }
`);
  expect(stdout).toContain(
    'actions[1]: the action "lost" is left out, with 1 permission: there is no type "Lost"',
  );
  expect(stdout).toContain(
    'the type "Lost" is left out: there is no type "geography"; define it under custom_types',
  );
  expect(stdout).toContain(
    'the type "Fine": the relationship "other" is left out: column "idd" does not exist on public.author',
  );
  expect(stdout).toContain('the type "Old": the value "gone" is not deprecated here');
});

test('an import refuses an actions.graphql that is not valid SDL and names the position of the mistake', async () => {
  const folder = path.join(await temporaryFolder(), 'export');
  await writeTree(folder, {
    'version.yaml': 'version: 3\n',
    'actions.yaml': 'actions: []\n',
    'actions.graphql': 'type Query {\n  a: !\n}\n',
  });
  const { code, stderr, stdout } = await runImport(folder);
  expect({ code, output: `${stdout}${stderr}`.replaceAll(`${folder}/`, '') }).toEqual({
    code: 2,
    output: expect.stringContaining('actions.graphql:2:6 RG_SHAPE Syntax Error: Expected Name'),
  });
});
