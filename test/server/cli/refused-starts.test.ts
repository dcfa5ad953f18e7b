import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand } from '../../support/command-line.ts';
import { makeDataFolder, removeFolders } from '../../support/data-folder.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { runRowgate, vacantPort } from '../../support/rowgate.ts';
import { appliedEnvironment, ask, refusalOf, secrets, start } from './support/start.ts';

afterAll(removeFolders);

describe('rowgate serve does not start', () => {
  let database: TestDatabase;
  let environment: Record<string, string>;

  beforeAll(async () => {
    database = await createDatabase({ from: 'applied' });
    environment = await appliedEnvironment(database);
  });
  afterAll(() => database.drop());

  test('without an admin secret when a database URL is given, and exits with 2', async () => {
    const { ROWGATE_ADMIN_SECRET: _, ...rest } = environment;
    expect(await runRowgate(['serve'], rest)).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'rowgate: RG_CONFIG ROWGATE_ADMIN_SECRET is not set\n' +
        '  set it to at least 32 random characters, e.g. of: openssl rand -hex 32\n',
    });
  });

  test('without a running database server, and exits with 4; the message names host and port but no password', async () => {
    const port = await vacantPort();
    const url = `postgres://me:hunter2@127.0.0.1:${port}/app`;
    const refusal = await refusalOf({ ...environment, DATABASE_URL: url });
    const place = `cannot connect to database "app" at 127.0.0.1:${port}`;
    expect(refusal).toEqual([4, expect.stringContaining(place)]);
    expect(refusal).toEqual([4, expect.not.stringContaining('hunter2')]);
  });

  test("without a secret key when a given database has the platform's tables, and exits with 2", async () => {
    const { ROWGATE_SECRET_KEY: _, ...rest } = environment;
    expect(await refusalOf(rest)).toEqual([
      2,
      expect.stringContaining('RG_CONFIG ROWGATE_SECRET_KEY is not set'),
    ]);
  });

  test('with mistakes in the metadata, and exits with 1 and their places', async () => {
    const metadata = await makeMetadata('user', 'wrong', 'table: nowhere\npermissions: {}\n');
    expect(await refusalOf(environment, { metadata })).toEqual([
      1,
      expect.stringContaining(`${metadata}/tables/wrong.yaml:1:8 RG_UNKNOWN_TABLE`),
    ]);
  });

  test('without the metadata folder, and exits with 2', async () => {
    expect(await refusalOf(environment, { metadata: '/nowhere' })).toEqual([
      2,
      expect.stringContaining('RG_FILE_UNREADABLE'),
    ]);
  });
});

// The second test applies the rules for the later tests.
describe('rowgate serve on a database without the tables of the platform', {
  shuffle: false,
}, () => {
  let own: TestDatabase;
  let environment: Record<string, string>;
  let metadata: string;

  beforeAll(async () => {
    own = await createDatabase();
    const owner = await own.connectOwner();
    await owner.query(
      "create table pet (id int primary key, name text); insert into pet values (1, 'Rex')",
    );
    environment = {
      DATABASE_URL: own.ownerUrl,
      ROWGATE_DATA_DIR: await makeDataFolder(),
      ...secrets,
    };
    const pet =
      'table: pet\npermissions:\n  keeper:\n    select: { filter: {}, columns: [name] }\n';
    metadata = await makeMetadata('keeper', 'pet', pet);
  });
  afterAll(() => own.drop());

  test('fails before the rules are applied, and names the command that applies them', async () => {
    expect(await refusalOf(environment)).toEqual([
      1,
      'rowgate: RG_NOT_PREPARED no metadata has been applied to this database\n' +
        '  run `rowgate apply` first',
    ]);
  });

  test('starts with --only graphql', async () => {
    const applied = await runCommand(['apply', '--yes', '--metadata', metadata], environment);
    expect(applied).toMatchObject({ code: 0 });
    const server = await start(environment, { metadata, only: 'graphql' });
    const answer = await ask(server.url, '{ pet { id name } }');
    await server.stop();
    expect(await answer.json()).toEqual({ data: { pet: [{ id: 1, name: 'Rex' }] } });
  });

  test('fails without --only graphql', async () => {
    expect(await refusalOf(environment, { metadata })).toEqual([
      1,
      expect.stringContaining('`--only graphql`'),
    ]);
  });

  test('fails when the gateway login has another password than the stored one', async () => {
    const elsewhere = { ...environment, ROWGATE_DATA_DIR: await makeDataFolder() };
    expect(await refusalOf(elsewhere, { metadata, only: 'graphql' })).toEqual([
      1,
      expect.stringContaining('run `rowgate apply` with the same ROWGATE_DATA_DIR'),
    ]);
  });
});

/** Makes a metadata folder with the rules of one role and one table. */
async function makeMetadata(role: string, table: string, rules: string): Promise<string> {
  const folder = await makeDataFolder();
  await mkdir(path.join(folder, 'tables'));
  const roles = `roles: { ${role}: { group: a, purpose: b } }\n`;
  await writeFile(path.join(folder, 'roles.yaml'), roles);
  await writeFile(path.join(folder, `tables/${table}.yaml`), rules);
  return folder;
}
