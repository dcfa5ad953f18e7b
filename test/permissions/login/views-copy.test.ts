import { afterEach, beforeEach, expect, test } from 'vitest';
import { withDatabase, withLogin } from '../../../server/db/url.ts';
import { runCommand } from '../../support/command-line.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { query } from '../../support/query.ts';
import { asSuperuser } from '../../support/superuser.ts';
import { removeMetadata, writeMetadata } from '../support/metadata-files.ts';

const secret = 'a'.repeat(40);
let source: TestDatabase;
let copy: string;
let metadata: string;

const rowgate = (name: string, ...args: readonly string[]) =>
  runCommand(args, {
    DATABASE_URL: withDatabase(source.ownerUrl, name),
    ROWGATE_ADMIN_SECRET: secret,
    ROWGATE_PLATFORM_ADMIN_SECRET: secret,
    ROWGATE_DATA_DIR: `${metadata}/.rowgate`,
  });
const withRules = (name: string, ...args: readonly string[]) =>
  rowgate(name, ...args, '--metadata', metadata);
const makeLogin = (name: string, login: string) =>
  withRules(name, 'login', 'create', login, '--role', 'reader', '--views');

beforeEach(async () => {
  source = await createDatabase();
  copy = `${source.name}_copy`;
  metadata = await writeMetadata({
    'roles.yaml': 'roles: { reader: {} }\n',
    'tables/total.yaml': `table: total
permissions:
  reader: { select: { filter: { total: { _gt: 0 } }, columns: [id, total] } }
`,
  });
  await query(
    source.ownerUrl,
    'create table total (id integer, total integer, note text); insert into total values (1, 5), (2, 0)',
  );
  expect((await withRules(source.name, 'apply', '--yes')).code).toBe(0);
  expect((await makeLogin(source.name, `${source.name}_ann`)).code).toBe(0);
});
afterEach(async () => {
  await asSuperuser(`drop database if exists ${copy} with (force)`);
  await rowgate(source.name, 'uninstall', '--yes');
  await source.drop();
  await removeMetadata();
});

const schemasIn = async (name: string) =>
  query(
    withDatabase(source.superuserUrl, name),
    "select nspname as name from pg_namespace where nspname ~ '^reporting_'",
  );

test('a copy of a database with views takes an apply, and its own login reads them', async () => {
  await asSuperuser(`create database ${copy} template ${source.name} owner rowgate_owner`);
  const applied = await withRules(copy, 'apply', '--yes');
  expect(applied.code, applied.stderr).toBe(0);
  expect((await withRules(copy, 'drift')).stdout).toBe('no drift\n');
  const made = await makeLogin(copy, `${copy}_bo`);
  expect(made.code, made.stderr).toBe(0);
  const url = withDatabase(withLogin(source.ownerUrl, `${copy}_bo`, made.stdout.trim()), copy);
  expect(await query(url, 'select * from total')).toEqual([{ id: 1, total: 5 }]);
  expect((await withRules(source.name, 'drift')).stdout).toBe('no drift\n');
  expect((await rowgate(copy, 'uninstall', '--yes')).code).toBe(0);
  expect(await schemasIn(copy)).toEqual([]);
  expect(await schemasIn(source.name)).toEqual([{ name: 'reporting_reader' }]);
});

test('a renamed database keeps its views after an apply', async () => {
  await asSuperuser(`alter database ${source.name} rename to ${copy}`);
  const applied = await withRules(copy, 'apply', '--yes');
  expect(applied.code, applied.stderr).toBe(0);
  expect((await withRules(copy, 'drift')).stdout).toBe('no drift\n');
  const made = await makeLogin(copy, `${copy}_bo`);
  expect(made.code, made.stderr).toBe(0);
  expect((await rowgate(copy, 'uninstall', '--yes')).code).toBe(0);
  expect(await schemasIn(copy)).toEqual([]);
  await asSuperuser(`alter database ${copy} rename to ${source.name}`);
  await asSuperuser(`drop role if exists ${source.name}_ann`);
});
