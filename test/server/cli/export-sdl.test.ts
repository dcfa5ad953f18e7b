import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buildSchema, isObjectType } from 'postgraphile/graphql';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { runCommand } from '../../support/command-line.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { runRowgate } from '../../support/rowgate.ts';

// The test plants operators in the schema public. Code that resolves operators there would call one
// and fail.
const schema = `
create table author (id integer primary key, name citext, secret text);
comment on column author.name is 'What readers see';
create function planted(name, text) returns text language plpgsql as $$ begin raise 'planted'; end $$;
create operator public.|| (leftarg = name, rightarg = text, function = planted);`;

const files = {
  'roles.yaml': 'roles: { reader: {}, writer: {}, idle: {} }\n',
  'tables/author.yaml': `
table: author
graphql: { name: Author, columns: { id: key }, root_fields: { select: authors } }
permissions:
  reader: { select: { filter: {}, columns: [name, id], allow_aggregations: true } }
  writer:
    select: { filter: {}, columns: [id] }
    insert: { check: {}, columns: [name], backend_only: true }
`,
};

let folder: string;
let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
  const owner = await database.connectOwner();
  await owner.query(schema);
  folder = await mkdtemp(path.join(inject('scratch'), 'export-'));
  await mkdir(path.join(folder, 'tables'));
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

function run(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  start = runCommand,
) {
  const env = { DATABASE_URL: database.ownerUrl, ROWGATE_DATA_DIR: folder, ...environment };
  return start(['export', 'sdl', '--metadata', folder, ...args], env);
}

async function rootsOf(...args: readonly string[]): Promise<unknown> {
  const { code, stdout, stderr } = await run(args);
  expect([code, stderr]).toEqual([0, '']);
  const built = buildSchema(stdout);
  const fields = (type = '') => {
    const found = built.getType(type);
    return isObjectType(found) ? Object.keys(found.getFields()) : [];
  };
  return { queries: fields('query_root'), mutations: fields('mutation_root') };
}

test('rowgate export sdl prints the GraphQL schema of a role with its configured names, although the rules were never applied', async () => {
  const { code, stdout, stderr } = await run(['--role', 'reader']);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain(
    'type Author {\n  key: Int!\n\n  """What readers see"""\n  name: citext\n}\n',
  );
  expect(stdout).not.toContain('secret');
  expect(buildSchema(stdout).getQueryType()?.getFields()).toHaveProperty('authors');
});

test('rowgate export sdl prints types in alphabetical order, and the same text each time', async () => {
  const { stdout } = await run(['--role', 'reader'], {}, runRowgate);
  const names = [...stdout.matchAll(/^(?:type|input|enum|scalar) (\w+)/gm)].map(([, name]) => name);
  expect(names).toEqual(names.toSorted());
  expect((await run(['--role', 'reader'])).stdout).toBe(stdout);
});

test('rowgate export sdl prints mutations marked backend-only only with --backend-only', async () => {
  const queries = ['Author_by_pk', 'authors'];
  expect(await rootsOf('--role', 'writer')).toEqual({ queries, mutations: [] });
  expect(await rootsOf('--role', 'writer', '--backend-only')).toEqual({
    queries,
    mutations: ['insert_Author', 'insert_Author_one'],
  });
});

test('rowgate export sdl prints the schema of the admin role and of a role without permissions', async () => {
  expect(await rootsOf('--role', 'admin')).toMatchObject({
    queries: ['Author_aggregate', 'Author_by_pk', 'authors'],
    mutations: expect.arrayContaining(['delete_Author', 'update_Author_many']),
  });
  expect(await rootsOf('--role', 'idle')).toEqual({
    queries: ['no_queries_available'],
    mutations: [],
  });
});

test.each([
  [
    ['--role', 'raeder'],
    'RG_UNKNOWN_ROLE role "raeder" is not in roles.yaml\n  did you mean "reader"?',
  ],
  [[], 'RG_USAGE export sdl lacks --role\n  the roles are reader, writer, idle, admin'],
])(
  'rowgate export sdl %j (an unknown or missing role) exits with 2 and lists the roles',
  async (args, problem) => {
    expect(await run(args)).toEqual({ code: 2, stdout: '', stderr: `rowgate: ${problem}\n` });
  },
);

test('rowgate export sdl exits with 4 when the database cannot be reached, and with 1 when the metadata has mistakes', async () => {
  const away = await run(['--role', 'reader'], { DATABASE_URL: 'postgres://me@127.0.0.1:1/app' });
  await writeFile(path.join(folder, 'tables/other.yaml'), 'table: other\n');
  const mistaken = await run(['--role', 'reader']);
  await rm(path.join(folder, 'tables/other.yaml'));
  expect(away.code).toBe(4);
  expect(mistaken).toMatchObject({ code: 1, stdout: '' });
  expect(mistaken.stderr).toContain(
    'tables/other.yaml:1:8 RG_UNKNOWN_TABLE table public.other does not exist',
  );
});
