import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { query } from '../../support/query.ts';
import { importMetadata, metadataOf } from './import-folder.ts';

const schema = `
  create schema tools;
  create table track (id integer primary key, name text);
  create table loose (id integer);
  create function search_tracks(search text) returns setof track language sql stable as 'select * from track';
  create function tools.rename(session json) returns track language sql as 'select * from track';
  create function count_all() returns bigint language sql stable as 'select 1';
  create function pure(track) returns text language sql immutable as 'select $1.name';
  create function looks(track) returns text language sql stable as 'select $1.name';
  create function keyless(loose) returns text language sql stable as 'select 1::text';
`;

const computed = (name: string) => ({ name, definition: { function: name } });
const metadata = {
  version: 3,
  sources: [
    {
      name: 'default',
      kind: 'postgres',
      tables: [
        {
          table: 'track',
          computed_fields: [computed('pure'), computed('looks')],
          select_permissions: [{ role: 'artist', permission: { columns: '*', filter: {} } }],
        },
        { table: 'loose', computed_fields: [computed('keyless')] },
      ],
      functions: [
        { function: 'search_tracks', permissions: [{ role: 'singer' }, { role: 'artist' }] },
        {
          function: { schema: 'tools', name: 'rename' },
          comment: 'Renames',
          configuration: {
            exposed_as: 'mutation',
            session_argument: 'session',
            custom_name: 'renameTrack',
            custom_root_fields: { function: 'renameIt', function_aggregate: null },
          },
        },
        { function: 'count_all', permissions: [{ role: 'artist' }] },
      ],
    },
  ],
};

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
  await query(database.ownerUrl, schema);
});
afterAll(() => database.drop());

test('an import writes functions with their roles and `rights: owner`, because Hasura runs them as the owner', async () => {
  const { files } = await importMetadata(metadata, { 'allow-partial': true }, database);
  expect(files?.['functions/search_tracks.yaml']).toBe(
    'function: search_tracks\nrights: owner\npermissions:\n  - artist\n  - singer\n',
  );
  expect(files?.['functions/tools.rename.yaml']).toBe(`function: tools.rename
exposed_as: mutation
session_argument: session
rights: owner
graphql:
  name: renameTrack
  description: Renames
  root_fields: { function: renameIt }
`);
  expect(files?.['roles.yaml']).toContain('singer: {}');
});

test('an import omits a function that returns no rows of a table, and exits with 3', async () => {
  const { code, stdout, files } = await importMetadata(metadata, {}, database);
  expect({ code, files }).toEqual({ code: 3, files: undefined });
  expect(stdout).toContain(
    'the function "public.count_all" is left out, with 1 permission: public.count_all cannot be a root field: it gives pg_catalog.int8, which is no table',
  );
});

test('an import gives a computed field `rights: owner` only if its function may read tables and its table has a key', async () => {
  const { files } = await importMetadata(metadata, { 'allow-partial': true }, database);
  expect(files?.['tables/track.yaml']).toContain('looks: { function: looks, rights: owner }');
  expect(files?.['tables/track.yaml']).toContain('pure: { function: pure }');
  expect(files?.['tables/loose.yaml']).toContain('keyless: { function: keyless }');
});

test('an import reports a function with a session argument, because Rowgate passes variables with another prefix', async () => {
  const { stdout } = await importMetadata(metadata);
  expect(stdout).toContain(
    'function "tools.rename": it gets session variables as x-gql-…, not as x-hasura-…',
  );
});

test('an import omits only those roles of a function whose names Rowgate does not allow', async () => {
  const roles = ['artist', 'art\nist', '', 'admin', 'gateway', 'artist'].map((role) => ({ role }));
  const permission = { columns: '*', filter: {} };
  const table = {
    table: 'track',
    select_permissions: roles.slice(0, 3).map((one) => ({ ...one, permission })),
  };
  const [source] = metadataOf([table]).sources;
  const functions = [{ function: 'search_tracks', permissions: roles }];
  const { files, stdout } = await importMetadata(
    { version: 3, sources: [{ ...source, functions }] },
    { 'allow-partial': true },
  );
  expect(files).toMatchObject({
    'roles.yaml': 'roles:\n  artist: {}\n',
    'functions/search_tracks.yaml': expect.stringMatching(/permissions:\n {2}- artist\n$/),
    'tables/track.yaml': expect.stringMatching(/permissions:\n {2}artist:\n.*\n$/),
  });
  expect(stdout.match(/permissions\[\d].*/g)).toEqual([
    String.raw`permissions[1]: public.track, role "art\nist", select: no role can be called "art\nist" here; give the role another name in Hasura first`,
    'permissions[2]: public.track, role "", select: no role can be called "" here; give the role another name in Hasura first',
    String.raw`permissions[1].role: what is said of the role "art\nist" is left out, no role can be called so here`,
    'permissions[2].role: what is said of the role "" is left out, no role can be called so here',
    'permissions[4].role: what is said of the role "gateway" is left out, no role can be called so here',
    'permissions[3].role: what is said of the role "admin" is not needed, admin may do everything here',
  ]);
});

test('an import exits with 2 when the metadata tracks a function twice', async () => {
  const functions = [{ function: 'f' }, { function: { name: 'f', schema: 'public' } }];
  const [source] = metadataOf([]).sources;
  const { code, stderr } = await importMetadata({
    version: 3,
    sources: [{ ...source, functions }],
  });
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining('functions[1]: the function "public.f" is tracked twice'),
  });
});
