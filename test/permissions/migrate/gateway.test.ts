import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrateGateway } from '../../../permissions/plan/prepare.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
let owner: pg.Client;

beforeAll(async () => {
  database = await createDatabase();
  owner = await database.connectOwner();
  await migrateGateway(owner);
});
afterAll(() => database.drop());

const ours = "nspname in ('rowgate', 'rowgate_api', 'rowgate_policy')";

test('after migrate, PUBLIC has no privilege on any function, table, view or schema of Rowgate', async () => {
  const { rows } = await owner.query(`
    select p.proname as it from pg_proc p join pg_namespace n on n.oid = p.pronamespace,
      aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) x where ${ours} and x.grantee = 0
    union all select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace,
      aclexplode(c.relacl) x where ${ours} and x.grantee = 0
    union all select n.nspname from pg_namespace n, aclexplode(n.nspacl) x where ${ours} and x.grantee = 0`);
  expect(rows).toEqual([]);
});

test('after migrate, row security is on for every table of Rowgate', async () => {
  const { rows } = await owner.query(`
    select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where ${ours} and c.relkind = 'r' and not c.relrowsecurity`);
  expect(rows).toEqual([]);
});

test('after migrate, every function of Rowgate has a fixed search_path', async () => {
  const { rows } = await owner.query(`
    select p.proname, p.proconfig from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where ${ours} and p.proconfig is distinct from '{"search_path=pg_catalog, pg_temp"}'::text[]`);
  expect(rows).toEqual([]);
});
