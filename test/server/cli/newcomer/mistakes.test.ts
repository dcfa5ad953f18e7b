import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { withDatabase, withLogin } from '../../../../server/db/url.ts';
import type { RunningServer } from '../../../../server/start/start-server.ts';
import { overwriteMetadata } from '../../../permissions/support/metadata-files.ts';
import { runCommand } from '../../../support/command-line.ts';
import { makeDataFolder, removeFolders } from '../../../support/data-folder.ts';
import { createDatabase, type TestDatabase } from '../../../support/database.ts';
import { goldenFile } from '../../../support/golden-file.ts';
import { runRowgate, vacantPort } from '../../../support/rowgate.ts';
import { adminSecret, start } from '../support/start.ts';

/** The files of a project that is right. Each test makes one mistake in them. */
const project = {
  'roles.yaml': 'roles:\n  author: { requires: [X-Gql-User-Id] }\n',
  'tables/article.yaml': `table: article
permissions:
  author:
    select:
      filter: { owner: { _eq: X-Gql-User-Id } }
      columns: [id, title]
`,
};
const schema = `
create table article (id int primary key, owner int not null, title text not null);
create index on article (owner);
create view counted as select owner, count(*) as total from article group by owner;
create schema shop; create table shop.basket (id int primary key);
create table "article_aggregate" (id int primary key)`;

let database: TestDatabase;
let superuser: pg.Client;
let login: string;
let metadata: string;
let environment: Record<string, string>;

beforeAll(async () => {
  database = await createDatabase();
  superuser = await database.connectSuperuser();
  login = `owner_${database.name}`;
  await superuser.query(`create role ${login} login createrole password 'secret';
    grant create on database ${database.name} to ${login}; grant create on schema public to ${login}`);
  await superuser.query(schema);
  for (const table of ['article', 'article_aggregate', 'counted', 'shop.basket'])
    await superuser.query(`alter table ${table} owner to ${login}`);
  await superuser.query(`alter schema shop owner to ${login}`);
  environment = {
    DATABASE_URL: withLogin(database.ownerUrl, login, 'secret'),
    ROWGATE_DATA_DIR: await makeDataFolder(),
    ROWGATE_ADMIN_SECRET: adminSecret,
  };
});
beforeEach(async () => {
  metadata = path.join(await makeDataFolder(), 'metadata');
  await overwriteMetadata(metadata, project);
});
afterAll(async () => {
  await database.drop();
  await removeFolders();
});

/** Replaces what differs from run to run. */
function plain(text: string): string {
  const { host, port } = new URL(database.ownerUrl);
  return text
    .replaceAll(metadata, 'metadata')
    .replaceAll(path.dirname(metadata), '.')
    .replaceAll(login, 'owner')
    .replaceAll(database.name, 'app')
    .replaceAll(host, '127.0.0.1:5432')
    .replaceAll(port, '5432');
}

/** Compares what a newcomer sees with the reviewed file. */
async function expectGolden(name: string, text: string): Promise<void> {
  const seen = plain(text);
  expect(seen).toBe(String(await goldenFile(`newcomer/${name}.txt`, seen)));
}

/** Runs a command, and returns it with everything that it prints. */
async function shown(
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<string> {
  const given = args[0] === 'aply' ? args : [...args, '--metadata', metadata];
  const run = args[0] === 'serve' ? runRowgate : runCommand;
  const { code, stdout, stderr } = await run(given, { ...environment, ...more });
  return `$ rowgate ${args.join(' ')}\n${stdout}${stderr}exit code ${code}\n`;
}

const writeToView = `table: counted
permissions:
  author: { insert: { check: {}, columns: [total] } }
`;
const article = project['tables/article.yaml'];
const withArticle = (from: string, to: string) => ({
  ...project,
  'tables/article.yaml': article.replace(from, to),
});

test.each([
  ['wrong-password', () => withLogin(database.ownerUrl, login, 'wrong')],
  ['no-such-database', () => withDatabase(environment.DATABASE_URL ?? '', 'nowhere')],
  ['server-not-running', () => 'postgres://owner:secret@127.0.0.1:1/app'],
  ['host-unknown', () => 'postgres://owner:secret@db.invalid/app'],
  ['password-with-hash', () => 'postgres://owner:sec#ret@127.0.0.1/app'],
  ['other-database-system', () => 'mysql://owner:secret@127.0.0.1/app'],
])('rowgate check with the mistake "%s" in DATABASE_URL names it', async (name, url) => {
  await expectGolden(name, await shown(['check'], { DATABASE_URL: url() }));
});

test.each([
  ['table-misspelt', withArticle('table: article', 'table: artcle')],
  ['table-of-another-schema', { ...project, 'tables/basket.yaml': 'table: basket\n' }],
  ['column-misspelt', withArticle('[id, title]', '[id, titel]')],
  ['role-misspelt', withArticle('author:', 'auhtor:')],
  ['operator-misspelt', withArticle('_eq', '_equals')],
  ['operator-without-underscore', withArticle('_eq', 'eq')],
  ['variable-without-prefix', withArticle('X-Gql-User-Id', 'X-Hasura-User-Id')],
  ['tab-in-yaml', withArticle('    select', '\tselect')],
  ['wrong-indentation', withArticle('      columns', '     columns')],
  ['unquoted-asterisk', withArticle('[id, title]', '*')],
  ['unquoted-at', { ...project, 'roles.yaml': 'roles:\n  author: { purpose: @writers }\n' }],
  ['key-misspelt', withArticle('filter', 'filtre')],
  ['newer-version', { ...project, 'rowgate.yaml': 'version: 9\n' }],
  ['name-clash', { ...project, 'tables/clash.yaml': 'table: article_aggregate\n' }],
  ['write-to-a-view', { ...project, 'tables/counted.yaml': writeToView }],
  ['empty-folder', {}],
])('rowgate check with the mistake "%s" in the metadata names it', async (name, files) => {
  await overwriteMetadata(metadata, files);
  await expectGolden(name, await shown(['check']));
});

test('rowgate check without the metadata folder says what to do', async () => {
  await rm(metadata, { recursive: true });
  await expectGolden('no-metadata-folder', await shown(['check']));
});

test('rowgate check with a folder below the metadata folder names the one above', async () => {
  const { code, stderr } = await runCommand(
    ['check', '--metadata', path.join(metadata, 'tables')],
    environment,
  );
  await expectGolden(
    'folder-too-deep',
    `$ rowgate check --metadata metadata/tables\n${stderr}exit code ${code}\n`,
  );
});

test("rowgate check with Hasura's own folder leads to the import", async () => {
  await rm(metadata, { recursive: true });
  await mkdir(path.join(metadata, 'databases/default/tables'), { recursive: true });
  await overwriteMetadata(metadata, {
    'version.yaml': 'version: 3\n',
    'databases/databases.yaml': '[]\n',
  });
  await rm(path.join(metadata, 'tables'), { recursive: true });
  await expectGolden('folder-of-hasura', await shown(['check']));
});

test('a misspelt command names the command that was meant', async () => {
  await expectGolden('command-misspelt', await shown(['aply']));
});

describe('rowgate apply', () => {
  test.each([
    ['no-createrole', 'alter role OWNER nocreaterole', 'alter role OWNER createrole'],
    [
      'not-the-owner',
      'alter table article owner to current_user',
      'alter table article owner to OWNER',
    ],
    [
      'policy-of-others',
      'create policy mine on article for select using (owner = 1)',
      'drop policy mine on article',
    ],
    [
      'public-may-create',
      'grant create on schema public to public',
      'revoke create on schema public from public',
    ],
  ])('with the mistake "%s" in the database says what to run', async (name, spoil, restore) => {
    await superuser.query(spoil.replaceAll('OWNER', login));
    const seen = await shown(['apply', '--yes']);
    await superuser.query(restore.replaceAll('OWNER', login));
    await expectGolden(name, seen);
  });
});

test('uninstall without a terminal asks for --yes', async () => {
  await expectGolden('uninstall-without-yes', await shown(['uninstall']));
});

describe('rowgate serve', () => {
  test.each([
    ['not-applied', {}],
    ['admin-secret-too-short', { ROWGATE_ADMIN_SECRET: 'secret' }],
    ['jwt-secret-not-json', { ROWGATE_JWT_SECRET: 'my-secret-key' }],
    ['jwt-key-too-short', { ROWGATE_JWT_SECRET: '{"type":"HS256","key":"short"}' }],
  ])('with the mistake "%s" does not start', async (name, more) => {
    const given = { ...environment, ...more, PORT: String(await vacantPort()) };
    await expectGolden(name, await shown(['serve', '--only', 'graphql'], given));
  });

  describe('to callers', () => {
    let server: RunningServer;

    beforeAll(async () => {
      metadata = path.join(await makeDataFolder(), 'metadata');
      await overwriteMetadata(metadata, project);
      await shown(['apply', '--yes']);
      server = await start(environment, { metadata, only: 'graphql' });
    });
    afterAll(async () => {
      await server.stop();
      await shown(['uninstall', '--yes']);
    });

    test('on a port that is in use names the port', async () => {
      const { port } = new URL(server.url);
      const seen = await shown(['serve', '--only', 'graphql'], { PORT: port });
      await expectGolden('port-in-use', seen.replaceAll(port, '5678'));
    });

    test.each([
      [
        'gateway-login-of-others',
        () => ({
          ROWGATE_GATEWAY_DATABASE_URL: withLogin(database.ownerUrl, `${login}_other`, 'secret'),
        }),
        `create role OWNER_other login password 'secret'`,
        'drop role OWNER_other',
      ],
      [
        'gateway-login-may-not-connect',
        () => ({}),
        'revoke connect on database DATABASE from public; grant connect on database DATABASE to OWNER',
        'grant connect on database DATABASE to public',
      ],
    ])('with the mistake "%s" does not start', async (name, more, spoil, restore) => {
      const named = (text: string) =>
        text.replaceAll('OWNER', login).replaceAll('DATABASE', database.name);
      await superuser.query(named(spoil));
      const port = String(await vacantPort());
      const seen = await shown(['serve', '--only', 'graphql'], { ...more(), PORT: port });
      await superuser.query(named(restore));
      await expectGolden(name, seen);
    });

    test.each([
      ['header-of-hasura', { 'X-Hasura-Admin-Secret': adminSecret }],
      ['wrong-admin-secret', { 'X-Gql-Admin-Secret': 'wrong' }],
      ['unknown-role', { 'X-Gql-Admin-Secret': adminSecret, 'X-Gql-Role': 'auhtor' }],
      ['missing-variable', { 'X-Gql-Admin-Secret': adminSecret, 'X-Gql-Role': 'author' }],
      [
        'other-variable',
        { 'X-Gql-Admin-Secret': adminSecret, 'X-Gql-Role': 'author', 'X-Gql-Userid': '1' },
      ],
    ])('with the mistake "%s" in the headers names it', async (name, headers) => {
      const response = await fetch(`${server.url}/v1/graphql`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify({ query: '{ article { title } }' }),
      });
      const sent = Object.keys(headers).map((header) => `${header}: …\n`);
      await expectGolden(name, `${sent.join('')}\n${await response.text()}\n`);
    });
  });
});
