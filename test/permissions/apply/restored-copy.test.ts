import { afterEach, beforeEach, expect, test } from 'vitest';
import { withDatabase } from '../../../server/db/url.ts';
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
  runCommand([...args, '--metadata', metadata], {
    DATABASE_URL: withDatabase(source.ownerUrl, name),
    ROWGATE_ADMIN_SECRET: secret,
    ROWGATE_SECRET_KEY: secret,
    ROWGATE_PLATFORM_ADMIN_SECRET: secret,
    ROWGATE_DATA_DIR: `${metadata}/.rowgate`,
  });

beforeEach(async () => {
  source = await createDatabase();
  copy = `${source.name}_copy`;
  metadata = await writeMetadata({
    'roles.yaml': 'roles: { reader: {}, writer: {} }\n',
    'tables/Order.yaml': `table: Order
permissions:
  reader: { select: { filter: { total: { _gt: 0 } }, columns: [id, total] } }
  writer:
    select: { filter: {}, columns: '*' }
    insert: { check: {}, columns: [total] }
`,
  });
  const owner = await source.connectOwner();
  await owner.query('create table "Order" (id serial primary key, total integer, note text)');
  await owner.end();
  expect((await rowgate(source.name, 'apply', '--yes')).code).toBe(0);
});
afterEach(async () => {
  await asSuperuser(`drop database if exists ${copy} with (force)`);
  await rowgate(source.name, 'uninstall', '--yes');
  await source.drop();
  await removeMetadata();
});

const makeCopy = () =>
  asSuperuser(`create database ${copy} template ${source.name} owner rowgate_owner`);

const rolesOf = async (name: string) => {
  const rows = await asSuperuser(
    `select rolname as name from pg_roles where rolname ~ '^rowgate_${name}_(?!copy_)'`,
  );
  return (rows as { name: string }[]).map((row) => row.name);
};

test('rowgate drift on a copied database exits 1 and lists the privileges that roles of the original still hold', async () => {
  await makeCopy();
  const { code, stdout } = await rowgate(copy, 'drift');
  const role = (name: string) => `rowgate_${source.name}_${name}`;
  expect(code).toBe(1);
  expect(stdout).toContain(
    `select on table public.Order (id, total) of ${role('reader')} is still held`,
  );
  expect(stdout).toContain(
    `insert on table public.Order (total) of ${role('writer')} is still held`,
  );
  expect(stdout).toContain(`usage on schema rowgate_api of ${role('reader')} is still held`);
  expect(stdout).toContain(`the rules were applied under ${source.name}`);
});

test('rowgate drift on a restore without privileges exits 1 and lists the missing privileges', async () => {
  await makeCopy();
  const roles = await rolesOf(source.name);
  await query(withDatabase(source.superuserUrl, copy), `drop owned by ${roles.join()} cascade`);
  const { code, stdout } = await rowgate(copy, 'drift');
  expect(code).toBe(1);
  expect(stdout).toContain(`select on public.Order of rowgate_${source.name}_reader is missing`);
  expect(stdout).not.toContain('is still held');
});

test("apply on a copied database revokes the privileges of the original's roles there, and not in the original", async () => {
  await makeCopy();
  expect((await rowgate(copy, 'apply', '--yes')).code).toBe(0);
  const { code, stdout } = await rowgate(copy, 'drift');
  expect([code, stdout]).toEqual([0, 'no drift\n']);
  expect((await rowgate(source.name, 'drift')).stdout).toBe('no drift\n');
});

test('uninstall on a copied database leaves the original without drift', async () => {
  await makeCopy();
  const { code, stdout } = await rowgate(copy, 'uninstall', '--yes');
  expect([code, stdout]).toEqual([0, 'removed 0 roles and all that they were given\n']);
  expect((await rowgate(source.name, 'drift')).stdout).toBe('no drift\n');
  expect((await rowgate(source.name, 'uninstall', '--yes')).code).toBe(0);
  expect(await rolesOf(source.name)).toEqual([]);
});

test('uninstall on the original keeps roles that have privileges in a copy until the copy is uninstalled', async () => {
  await makeCopy();
  const { code, stdout } = await rowgate(source.name, 'uninstall', '--yes');
  expect(code).toBe(0);
  expect(stdout).toContain(
    `role rowgate_${source.name}_reader stays without rights here: it still has privileges in ${copy}`,
  );
  expect(await rolesOf(source.name)).toContain(`rowgate_${source.name}_reader`);
  expect((await rowgate(copy, 'drift')).code).toBe(1);
  expect((await rowgate(copy, 'uninstall', '--yes')).code).toBe(0);
  expect(await rolesOf(source.name)).toEqual([]);
});

test('uninstall on a renamed database drops the roles that carry the old name', async () => {
  await asSuperuser(`alter database ${source.name} rename to ${copy}`);
  expect((await rowgate(copy, 'uninstall', '--yes')).code).toBe(0);
  expect(await rolesOf(source.name)).toEqual([]);
});
