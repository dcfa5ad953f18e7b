import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { load, makeFolder, messagesFor, minimalFiles } from './metadata-folder.ts';

const listed = (operations: string) => ({
  'allow_list.yaml': `collections: { web: { operations: ${operations} } }\n`,
});

test('allow_list.yaml gives operations and files of a collection in order, and the roles that may run each collection', async () => {
  const folder = await makeFolder({
    ...minimalFiles,
    'allow_list.yaml': `
collections:
  web:
    operations: [{ name: a, query: '{ a }' }]
    files: [ops/*.graphql]
allow: [{ collection: web, roles: [user] }, { collection: web }]
`,
    'ops/c.graphql': 'query c { a }',
    'ops/b.graphql': '{ a, __typename } # the same',
    'ops/d.txt': 'not one',
  });
  const { metadata, messages } = await load(folder);
  expect(messages).toEqual([]);
  const { collections, allow } = metadata?.allowList ?? { collections: [], allow: [] };
  expect(allow).toMatchObject([
    { collection: { name: 'web' }, roles: [{ name: 'user' }] },
    { collection: { name: 'web' }, roles: undefined },
  ]);
  const documents = collections[0]?.documents ?? [];
  expect(documents).toMatchObject([
    { name: 'a', text: '{ a }', position: { line: 4, column: 36 } },
    { name: 'b', position: { file: `${folder}/ops/b.graphql`, line: 1 } },
    { name: 'c' },
  ]);
  expect(documents[0]?.digest).toBe(documents[1]?.digest);
  expect(documents[0]?.digest).not.toBe(documents[2]?.digest);
});

test('metadata without an allow_list.yaml allows no named operation', async () => {
  const { metadata } = await load(await makeFolder(minimalFiles));
  expect(metadata?.allowList).toEqual({ collections: [], allow: [] });
});

test.each([
  [
    "{ name: a, query: '{ a' }",
    'Syntax Error: Expected Name, found <EOF>. (line 1, column 4 of it)',
  ],
  ["{ name: a, query: 'fragment f on a { b }' }", 'it holds no operation (line 1, column 1 of it)'],
  [
    "{ name: a, query: '{ a } type b { c: Int }' }",
    'it holds more than operations and fragments (line 1, column 1 of it)',
  ],
  [
    `{ name: a, query: '${'{a'.repeat(3000)}${'}'.repeat(3000)}' }`,
    'it is nested too deeply (line 1, column 1 of it)',
  ],
])(
  'loading refuses an operation of allow_list.yaml that is no GraphQL document, and names its position: %#',
  async (operation, problem) => {
    expect(await messagesFor(listed(`[${operation}]`))).toEqual([
      `allow_list.yaml:1:54 RG_ALLOW_LIST the operation "a" is no GraphQL document: ${problem}`,
    ]);
  },
);

test('loading refuses a listed .graphql file that is no GraphQL document, and names the position in that file', async () => {
  const files = {
    'allow_list.yaml': 'collections: { web: { files: [ops/*.graphql] } }\n',
    'ops/a.graphql': '{\n  a(\n}\n',
  };
  expect(await messagesFor(files)).toEqual([
    'ops/a.graphql:3:1 RG_ALLOW_LIST the operation "a" is no GraphQL document: Syntax Error: Expected Name, found "}".',
  ]);
});

test('loading refuses two operations with the same name in a collection', async () => {
  const twice = "[{ name: a, query: '{ a }' }, { name: a, query: '{ b }' }]";
  expect(await messagesFor(listed(twice))).toEqual([
    'allow_list.yaml:1:83 RG_ALLOW_LIST the collection "web" has two operations called "a"; give one of them another name',
  ]);
});

test.each([['../*.graphql'], ['/etc/passwd'], ['ops/../../x.graphql']])(
  'loading refuses the file pattern %s of allow_list.yaml, because it leads out of the metadata folder',
  async (pattern) => {
    const files = { 'allow_list.yaml': `collections: { web: { files: ['${pattern}'] } }\n` };
    expect(await messagesFor(files)).toEqual([
      `allow_list.yaml:1:31 RG_ALLOW_LIST "${pattern}" leads out of the metadata folder; put the files into the folder`,
    ]);
  },
);

test('loading refuses a file pattern of allow_list.yaml that matches no file', async () => {
  const files = { 'allow_list.yaml': 'collections: { web: { files: [ops/*.gql] } }\n' };
  expect(await messagesFor(files)).toEqual([
    'allow_list.yaml:1:31 RG_ALLOW_LIST "ops/*.gql" means no file; paths begin in the metadata folder, as ops/*.graphql',
  ]);
});

test('loading refuses a listed file that is a symbolic link out of the metadata folder', async () => {
  const files = { 'allow_list.yaml': 'collections: { web: { files: [ops/*.graphql] } }\n' };
  const folder = await makeFolder({ ...minimalFiles, ...files, 'ops/': '' });
  const elsewhere = await makeFolder({ 'a.graphql': '{ a }' });
  await symlink(path.join(elsewhere, 'a.graphql'), path.join(folder, 'ops/a.graphql'));
  expect((await load(folder)).messages).toEqual([
    'ops/a.graphql:1:1 RG_FILE_UNREADABLE the symbolic link leads out of the metadata folder; put the file into the folder',
  ]);
});

test('roles.yaml gives each role its limits of requests, depth, nodes and time', async () => {
  const roles = `
roles:
  a: { limits: { rate: { requests: 6, seconds: 60 }, depth: 3 }, introspection: false }
  b: { limits: { rate: { requests: 1, seconds: 1, by: [X-Gql-User-Id] }, nodes: 9, seconds: 2 } }
  c: {}
`;
  const { metadata } = await load(await makeFolder({ ...minimalFiles, 'roles.yaml': roles }));
  expect(metadata?.roles).toMatchObject([
    {
      limits: { rate: { requests: 6, seconds: 60, by: 'session' }, depth: 3 },
      introspection: false,
    },
    {
      limits: { rate: { by: [{ name: 'X-Gql-User-Id' }] }, nodes: 9, seconds: 2 },
      introspection: true,
    },
    { limits: undefined, introspection: true },
  ]);
});

test.each([
  ['{ depth: 0 }', '"depth" must be a whole number from 1 to 1000, but is 0'],
  ['{ nodes: 1.5 }', '"nodes" must be a whole number from 1 to 20000, but is 1.5'],
  [
    '{ rate: { requests: 1 } }',
    '"rate" lacks "seconds"; add "seconds": a whole number from 1 to 86400',
  ],
])('loading refuses a role with the limits %s', async (limits, problem) => {
  const messages = await messagesFor({ 'roles.yaml': `roles: { r: { limits: ${limits} } }\n` });
  expect(messages).toEqual([expect.stringContaining(problem)]);
});
