import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { query } from '../../support/query.ts';
import { importMetadata, metadataOf } from './import-folder.ts';

const schema = `
  create schema tools;
  create table mark (id integer primary key, name text, points integer);
  create table remark (id integer primary key, mark_id integer references mark, words text);
  create function tools.total(m mark) returns integer language sql stable as 'select m.points';
  create function remarks_of(m mark, session json) returns setof remark language sql stable as
    'select * from remark where mark_id = m.id';
  create function changing(m mark) returns integer language sql as 'select 1';
`;

const computed = (name: string, definition: object) => ({ name, definition });
const select = (role: string, permission: object) => ({ role, permission });

const tables = [
  {
    table: 'mark',
    computed_fields: [
      computed('total', { function: { schema: 'tools', name: 'total' }, table_argument: 'm' }),
      {
        ...computed('remarks', { function: 'remarks_of', session_argument: 'session' }),
        comment: 'What was said',
      },
      computed('changing', { function: 'changing', table_argument: null }),
    ],
    select_permissions: [
      select('tutor', {
        columns: '*',
        computed_fields: ['total', 'changing'],
        filter: { total: { $gte: 'X-Hasura-Least' }, remarks: { words: { _like: '%x%' } } },
      }),
      select('lost', { columns: '*', filter: { changing: { _eq: 1 } } }),
    ],
  },
  { table: 'remark' },
];

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
  await query(database.ownerUrl, schema);
});
afterAll(() => database.drop());

test('an import writes computed fields and the rules that use them', async () => {
  const { files } = await importMetadata(metadataOf(tables), { 'allow-partial': true }, database);
  expect(files?.['tables/mark.yaml']).toBe(`table: mark
permissions:
  tutor:
    select:
      filter: { total: { _gte: X-Gql-Least }, remarks: { words: { _like: '%x%' } } }
      columns: '*'
      computed_fields: [ total ]
computed_fields:
  remarks:
    function: remarks_of
    session_argument: session
    rights: owner
    description: What was said
  total: { function: tools.total, table_argument: m, rights: owner }
`);
});

test('an import omits a computed field with a volatile function, and the rules that use it', async () => {
  const { code, stdout } = await importMetadata(metadataOf(tables), {}, database);
  expect(code).toBe(3);
  expect(stdout).toContain(
    'sources[0].tables[0].computed_fields[2]: public.mark: the computed field "changing" is left out: public.changing cannot compute "changing" of public.mark: it is volatile',
  );
  expect(stdout).toContain('public.mark, role "lost", select: column or relationship "changing"');
});

test('an import without a database writes computed fields without checking their functions', async () => {
  const { code, files } = await importMetadata(metadataOf(tables));
  expect({ code, changing: files?.['tables/mark.yaml']?.includes('changing: {') }).toEqual({
    code: 0,
    changing: true,
  });
});

test('an import that changes the prefix of session variables reports functions that take the session as an argument', async () => {
  const { stdout } = await importMetadata(metadataOf(tables));
  expect(stdout).toContain(
    'public.mark, computed field "remarks": the function gets session variables as x-gql-…, not as x-hasura-…; change what it looks for, or set ROWGATE_HEADER_PREFIX=X-Hasura-',
  );
});
