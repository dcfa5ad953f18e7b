import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inspectCatalog } from '../../../permissions/catalog/inspect-catalog.ts';
import { writeCatalog } from '../../../permissions/catalog/write-catalog.ts';
import { formatDiagnostic } from '../../../permissions/diagnostics.ts';
import { offlineFindings } from '../../../permissions/lint/all-findings.ts';
import { resolveModel } from '../../../permissions/model/load-model.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { query } from '../../support/query.ts';
import { runRowgate } from '../../support/rowgate.ts';
import { importMetadata, metadataOf, temporaryFolder } from './import-folder.ts';

const schema = `
  create schema billing;
  create table author (id integer primary key, first_name text not null, editor_id integer references author);
  create table article (
    id integer generated always as identity primary key,
    author_id integer not null references author,
    title text, published boolean not null default false, words integer generated always as (length(title)) stored
  );
  create table billing.invoice (id uuid primary key, author_id integer references author, total numeric(20, 2));
  create table profile (author_id integer primary key references author, bio jsonb);
  create view shown as select * from article where published;
  insert into author values (1, 'Ada', null), (2, 'Bob', 1);
  insert into article (author_id, title, published) values (1, 'one', true), (1, 'two', false), (2, 'three', true);
`;

const author = { author_id: { _eq: 'X-Hasura-User-Id' } };

const tables = [
  {
    table: 'author',
    array_relationships: [
      {
        name: 'articles',
        using: { foreign_key_constraint_on: { table: 'article', column: 'author_id' } },
      },
      {
        name: 'invoices',
        using: {
          foreign_key_constraint_on: {
            table: { schema: 'billing', name: 'invoice' },
            column: 'author_id',
          },
        },
      },
    ],
    object_relationships: [
      { name: 'editor', using: { foreign_key_constraint_on: 'editor_id' } },
      {
        name: 'profile',
        using: {
          manual_configuration: { remote_table: 'profile', column_mapping: { id: 'author_id' } },
        },
      },
    ],
    select_permissions: [
      {
        role: 'user',
        permission: {
          columns: '*',
          filter: { _or: [{ id: 'X-Hasura-User-Id' }, { articles: { published: true } }] },
        },
      },
      {
        role: 'editor',
        permission: {
          columns: ['id'],
          filter: { editor: { id: { _eq: 'X-Hasura-User-Id' } } },
          allow_aggregations: true,
        },
      },
    ],
  },
  {
    table: 'article',
    object_relationships: [{ name: 'author', using: { foreign_key_constraint_on: 'author_id' } }],
    select_permissions: [
      {
        role: 'user',
        permission: {
          columns: ['id', 'title'],
          filter: { $or: [author, { published: { $eq: true } }] },
        },
      },
    ],
    insert_permissions: [
      {
        role: 'user',
        permission: {
          check: author,
          columns: ['title', 'words', 'id'],
          set: { author_id: 'x-hasura-User-id' },
        },
      },
    ],
    update_permissions: [
      {
        role: 'user',
        permission: { filter: author, columns: ['title', 'published', 'words'], check: null },
      },
    ],
    delete_permissions: [
      { role: 'user', permission: { filter: { _and: [author, { published: false }] } } },
    ],
  },
  {
    table: { schema: 'billing', name: 'invoice' },
    select_permissions: [
      {
        role: 'user',
        permission: { columns: '*', filter: { total: { _lt: 1000.5 } } },
      },
    ],
  },
  {
    table: 'profile',
    select_permissions: [
      { role: 'user', permission: { columns: '*', filter: { bio: { _has_key: 'public' } } } },
    ],
  },
];

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
  await query(database.ownerUrl, schema);
});
afterAll(() => database.drop());

test('imported metadata passes check and apply, and a direct login may read and write what the Hasura rules allow', async () => {
  const { code, stdout, out } = await importMetadata(metadataOf(tables), {}, database);
  expect({ code, stdout }).toMatchObject({ code: 0 });
  const client = await database.connectOwner();
  const loaded = await resolveModel({ metadata: out, client, headerPrefix: 'X-Gql-' });
  const mistakes = offlineFindings(loaded).filter(
    ({ code, severity }) => severity === 'error' || code === 'RG_UNKNOWN_VARIABLE',
  );
  expect(mistakes.map(formatDiagnostic)).toEqual([]);

  const environment = { DATABASE_URL: database.ownerUrl, ROWGATE_DATA_DIR: `${out}-data` };
  const applied = await runRowgate(['apply', '--metadata', out, '--yes'], environment);
  expect(applied).toMatchObject({ code: 0 });
  const login = `ada_${database.name}`;
  const made = await runRowgate(
    ['login', 'create', login, '--role', 'user', '--var', 'X-Gql-User-Id=1', '--metadata', out],
    environment,
  );
  const url = new URL(database.ownerUrl);
  url.username = login;
  url.password = made.stdout.trim();
  const titles = 'select title from article order by title';
  expect(await query(url.href, titles)).toEqual([
    { title: 'one' },
    { title: 'three' },
    { title: 'two' },
  ]);
  await query(
    url.href,
    "insert into article (title) values ('four')",
    "update article set title = 'x'",
  );
  expect(
    await query(database.ownerUrl, 'select author_id, title from article order by id'),
  ).toEqual([
    { author_id: 1, title: 'x' },
    { author_id: 1, title: 'x' },
    { author_id: 2, title: 'three' },
    { author_id: 1, title: 'x' },
  ]);
  const removed = await runRowgate(['uninstall', '--metadata', out, '--yes'], environment);
  expect(removed).toMatchObject({ code: 0 });
});

test('an import writes texts that look like session variables as literals and reports them', async () => {
  const conditions = [
    { title: { _eq: 'X-Gql-User-Id' } },
    { title: { _neq: 'X-Hasura_User_Id' } },
    { title: { _in: ['a', 'X-Session-User-Id'] } },
    { profile: { bio: { _contains: { by: 'X-Gql-User-Id' } } } },
    { profile: { bio: { _contains: ['X_Hasura_User_Id'] } } },
    { profile: { bio: { _contains: { _literal: 1 } } } },
  ];
  const profile = {
    name: 'profile',
    using: {
      manual_configuration: { remote_table: 'profile', column_mapping: { author_id: 'author_id' } },
    },
  };
  const article = {
    table: 'article',
    object_relationships: [profile],
    select_permissions: [
      { role: 'user', permission: { columns: ['id'], filter: { _and: conditions } } },
    ],
  };
  const { code, stdout, files, out } = await importMetadata(
    metadataOf([article, { table: 'profile' }]),
    {},
    database,
  );
  const client = await database.connectOwner();
  await resolveModel({ metadata: out, client, headerPrefix: 'X-Gql-' });
  expect(code).toBe(0);
  expect(stdout.match(/"[^"]+" looks like a session variable/g)).toHaveLength(4);
  expect(files?.['rowgate.yaml']).toBe('default_relationships: false\n');
  const text = files?.['tables/article.yaml'] ?? '';
  for (const condition of [
    '_eq: { _literal: X-Gql-User-Id }',
    '_neq: { _literal: X-Hasura_User_Id }',
    '_in: { _literal: [ a, X-Session-User-Id ] }',
    '_contains: { _literal: { by: X-Gql-User-Id } }',
    '_contains: { _literal: [ X_Hasura_User_Id ] }',
    '_contains: { _literal: { _literal: 1 } }',
  ]) {
    expect(text).toContain(condition);
  }
});

test('an import removes generated columns from the writable columns and reports it', async () => {
  const { stdout, files } = await importMetadata(metadataOf(tables), {}, database);
  expect(files?.['tables/article.yaml']).toContain('columns: [ title ]');
  expect(files?.['tables/article.yaml']).toContain('columns: [ title, published ]');
  expect(stdout).toContain(
    'public.article, role "user", insert: generated columns cannot be written and are left out of columns',
  );
});

test('an import omits a table that the database lacks, with the relationships to it, and exits with 0', async () => {
  const absent = [
    {
      table: 'gone',
      object_relationships: [
        {
          name: 'writer',
          using: {
            manual_configuration: { remote_table: 'author', column_mapping: { author_id: 'id' } },
          },
        },
      ],
    },
    {
      table: 'author',
      array_relationships: [
        {
          name: 'gone',
          using: {
            manual_configuration: { remote_table: 'gone', column_mapping: { id: 'author_id' } },
          },
        },
      ],
    },
    { table: 'missing' },
  ];
  const { code, stdout, files } = await importMetadata(metadataOf(absent), {}, database);
  expect(code).toBe(0);
  expect(Object.keys(files ?? {})).toEqual(['roles.yaml', 'rowgate.yaml', 'tables/author.yaml']);
  expect(files?.['tables/author.yaml']).toBe('table: author\n');
  expect(stdout.replaceAll(/^ {2}hasura\.json:\S+ /gm, '')).toBe(
    [
      'not imported:',
      'sources[0].tables[1].array_relationships[0]: public.author: the relationship "gone" is left out: relationship "gone" of public.author leads nowhere: no tracked table to gone is reached along these columns',
      'sources[0].tables[0]: public.gone is left out: table public.gone does not exist',
      'sources[0].tables[2]: public.missing is left out: table public.missing does not exist',
      '1 table, 0 permissions, 0 roles',
      '',
    ].join('\n'),
  );
});

test('an import exits with 3 when a missing table has permissions or a rule reads it', async () => {
  const absent = [
    {
      table: 'gone',
      select_permissions: [{ role: 'user', permission: { columns: '*', filter: {} } }],
    },
    {
      table: 'author',
      array_relationships: [
        {
          name: 'gone',
          using: {
            manual_configuration: { remote_table: 'gone', column_mapping: { id: 'author_id' } },
          },
        },
      ],
      select_permissions: [
        { role: 'user', permission: { columns: '*', filter: { gone: {} } } },
        { role: 'other', permission: { columns: '*', filter: {} } },
      ],
    },
  ];
  const refused = await importMetadata(metadataOf(absent), {}, database);
  expect(refused).toMatchObject({ code: 3, files: undefined });
  const partial = await importMetadata(metadataOf(absent), { 'allow-partial': true }, database);
  expect(partial.code).toBe(0);
  expect(partial.files?.['tables/author.yaml']).toBe(
    "table: author\npermissions:\n  other:\n    select: { filter: {}, columns: '*' }\n",
  );
  expect(partial.stdout).toContain('public.gone is left out, with 1 permission: ');
  expect(partial.stdout).toContain(
    'public.author, role "user", select: column or relationship "gone" does not exist',
  );
});

test('an import writes a view with its permissions and the rules that read it', async () => {
  const views = [
    {
      table: 'shown',
      select_permissions: [{ role: 'user', permission: { columns: ['id'], filter: author } }],
    },
    {
      table: 'author',
      array_relationships: [
        {
          name: 'shown',
          using: {
            manual_configuration: { remote_table: 'shown', column_mapping: { id: 'author_id' } },
          },
        },
      ],
      select_permissions: [{ role: 'user', permission: { columns: '*', filter: { shown: {} } } }],
    },
  ];
  const { code, files } = await importMetadata(metadataOf(views), {}, database);
  expect(code).toBe(0);
  expect(files?.['tables/shown.yaml']).toBe(
    'table: shown\npermissions:\n  user:\n    select: { filter: { author_id: { _eq: X-Gql-User-Id } }, columns: [ id ] }\n',
  );
  expect(files?.['tables/author.yaml']).toContain('filter: { shown: {} }');
});

test('an import omits only the rule that does not fit the database, and names its position in the input', async () => {
  const odd = [
    {
      table: 'author',
      select_permissions: [
        { role: 'gone', permission: { columns: ['id', 'last_name'], filter: {} } },
        { role: 'typed', permission: { columns: ['id'], filter: { id: { _eq: 'one' } } } },
        { role: 'fine', permission: { columns: ['id'], filter: {} } },
      ],
    },
  ];
  const { code, stdout, files } = await importMetadata(
    metadataOf(odd),
    { 'allow-partial': true },
    database,
  );
  expect(code).toBe(0);
  expect(files?.['roles.yaml']).toBe('roles:\n  fine: {}\n');
  expect(stdout).toContain(
    'sources[0].tables[0].select_permissions[0]: public.author, role "gone", select: column "last_name" does not exist on public.author',
  );
  expect(stdout).toContain('role "typed", select: "one" is no int4');
});

test('an import omits a relationship without a foreign key, and the rules that use it', async () => {
  const odd = [
    {
      table: 'author',
      object_relationships: [
        { name: 'friend', using: { foreign_key_constraint_on: 'first_name' } },
      ],
      select_permissions: [
        { role: 'user', permission: { columns: ['id'], filter: { friend: { id: { _gt: 1 } } } } },
      ],
    },
  ];
  const { stdout } = await importMetadata(metadataOf(odd), { 'allow-partial': true }, database);
  expect(stdout).toContain('public.author: the relationship "friend" is left out: ');
  expect(stdout).toContain('public.author, role "user", select: column or relationship "friend"');
});

test('an import omits a role whose name Postgres does not allow, with all its rules', async () => {
  const role = 'r'.repeat(60);
  const rule = { role, permission: { columns: ['id'], filter: {} } };
  const long = [
    { table: 'author', select_permissions: [rule] },
    { table: 'article', select_permissions: [rule] },
  ];
  const { stdout, files } = await importMetadata(
    metadataOf(long),
    { 'allow-partial': true },
    database,
  );
  expect(files?.['roles.yaml']).toBe('roles: {}\n');
  expect(stdout.match(/would be \d+ bytes long/g)).toHaveLength(2);
});

test('an import omits a GraphQL name that an earlier table already has, and keeps the table', async () => {
  const same = { configuration: { custom_root_fields: { select: 'people', insert: 'addPerson' } } };
  const metadata = metadataOf([
    { table: 'article', ...same },
    { table: 'author', ...same },
  ]);
  const { code, stdout, files } = await importMetadata(metadata, {}, database);
  expect(code).toBe(0);
  expect(files?.['tables/article.yaml']).toContain(
    'root_fields: { select: people, insert: addPerson }',
  );
  expect(files?.['tables/author.yaml']).toBe('table: author\n');
  expect(stdout).toContain('public.author: graphql.root_fields.select is left out: ');
});

test('an import checks tables against the catalog file given by --catalog instead of a database', async () => {
  const client = await database.connectOwner();
  const file = path.join(await temporaryFolder(), 'catalog.json');
  await writeFile(file, writeCatalog(await inspectCatalog(client)));
  const tracked = metadataOf([{ table: 'author' }, { table: 'missing' }]);
  const { code, stdout } = await importMetadata(tracked, { catalog: file });
  expect(code).toBe(0);
  expect(stdout).toContain('public.missing is left out: table public.missing does not exist');
  expect(stdout).toContain('1 table, ');
});
