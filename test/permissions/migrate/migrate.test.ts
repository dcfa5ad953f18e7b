import { createHash } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { MigrationError } from '../../../permissions/errors.ts';
import { migrate } from '../../../permissions/migrate/migrate.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { failureOf } from '../support/as-role.ts';
import { overwriteMetadata, removeMetadata, writeMetadata } from '../support/metadata-files.ts';

const databases: TestDatabase[] = [];
let database: TestDatabase;
let client: pg.Client;

beforeEach(async () => {
  database = await createDatabase();
  databases.push(database);
  client = await database.connectOwner();
});
afterAll(async () => {
  await Promise.all(databases.map((one) => one.drop()));
  await removeMetadata();
});

const first = { '1_first.sql': 'create table first (id integer);' };
const second = {
  '2_second.sql': 'insert into first values (1); create table second (id integer);',
};

async function tables(): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1",
  );
  return rows.map((row) => row.name);
}

test('migrate runs every file once, in the order of names', async () => {
  const folder = await writeMetadata({ ...second, ...first });
  expect(await migrate(client, folder, 'own')).toEqual(['1_first.sql', '2_second.sql']);
  expect(await migrate(client, folder, 'own')).toEqual([]);
  expect(await tables()).toEqual(['first', 'second']);
});

test('migrate runs the files that were added later', async () => {
  const folder = await writeMetadata(first);
  await migrate(client, folder, 'own');
  await overwriteMetadata(folder, { ...first, ...second });
  expect(await migrate(client, folder, 'own')).toEqual(['2_second.sql']);
});

test('migrate refuses a file that was edited after it ran', async () => {
  const folder = await writeMetadata(first);
  await migrate(client, folder, 'own');
  await overwriteMetadata(folder, { '1_first.sql': `${first['1_first.sql']} -- more` });
  const error = await failureOf(migrate(client, folder, 'own'));
  expect(error).toBeInstanceOf(MigrationError);
  expect(error.message).toBe(
    'migration own/1_first.sql was edited after it ran; restore the file and put the change into a new one',
  );
});

test('migrate accepts a file whose earlier text ran, when earlier-checksums.json lists the checksum of that text', async () => {
  const folder = await writeMetadata(first);
  await migrate(client, folder, 'own');
  const earlier = createHash('sha256').update(first['1_first.sql']).digest('hex');
  await overwriteMetadata(folder, {
    '1_first.sql': `-- A table.\n${first['1_first.sql']}`,
    ...second,
    'earlier-checksums.json': JSON.stringify({ '1_first.sql': [earlier] }),
  });
  expect(await migrate(client, folder, 'own')).toEqual(['2_second.sql']);
  expect(await migrate(client, folder, 'own')).toEqual([]);
});

test('migrate refuses a file whose earlier text ran, when earlier-checksums.json lists another checksum', async () => {
  const folder = await writeMetadata(first);
  await migrate(client, folder, 'own');
  await overwriteMetadata(folder, {
    '1_first.sql': `-- A table.\n${first['1_first.sql']}`,
    'earlier-checksums.json': JSON.stringify({ '1_first.sql': ['0'.repeat(64)] }),
  });
  const { message } = await failureOf(migrate(client, folder, 'own'));
  expect(message).toMatch(/^migration own\/1_first.sql was edited after it ran/);
});

test('migrate refuses a database in which a migration has run that the folder lacks', async () => {
  const folder = await writeMetadata({ ...first, ...second });
  await migrate(client, folder, 'own');
  await overwriteMetadata(folder, first);
  const { message } = await failureOf(migrate(client, folder, 'own'));
  expect(message).toMatch(
    /^the database has migration own\/2_second.sql, which this program does not/,
  );
});

test('migrate rolls back a failing file and keeps the files before it', async () => {
  const folder = await writeMetadata({
    ...first,
    '2_bad.sql': 'create table half (id integer); insert into nowhere values (1);',
  });
  const { message } = await failureOf(migrate(client, folder, 'own'));
  expect(message).toBe(
    'migration own/2_bad.sql failed and was rolled back: relation "nowhere" does not exist',
  );
  expect(await tables()).toEqual(['first']);
});

test('migrate runs a failed file again after it was corrected', async () => {
  const folder = await writeMetadata({ ...first, '2_bad.sql': 'select wrong;' });
  await failureOf(migrate(client, folder, 'own'));
  await overwriteMetadata(folder, { ...first, '2_bad.sql': 'create table second (id integer);' });
  expect(await migrate(client, folder, 'own')).toEqual(['2_bad.sql']);
});

test('migrate runs files of the same name in two scopes, because it records each scope separately', async () => {
  const folder = await writeMetadata(first);
  const other = await writeMetadata({ '1_first.sql': 'create table other (id integer);' });
  await migrate(client, folder, 'own');
  expect(await migrate(client, other, 'other')).toEqual(['1_first.sql']);
});

test('migrate runs each file once when several processes call it at the same time', async () => {
  const folder = await writeMetadata({ ...first, ...second });
  const clients = await Promise.all([1, 2, 3, 4].map(() => database.connectOwner()));
  const ran = await Promise.all(clients.map((one) => migrate(one, folder, 'own')));
  expect(ran.flat().sort()).toEqual(['1_first.sql', '2_second.sql']);
  expect(await tables()).toEqual(['first', 'second']);
});
