import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { ask, askAs, beginAs, type Caller, failureOf } from '../support/as-role.ts';
import { removeMetadata } from '../support/metadata-files.ts';
import { column, ids, installTenants, type Tenants } from './tenants.ts';

let tenants: Tenants;
let gateway: pg.Client;
let one: Caller;
let two: Caller;
let admin: Caller;
let noVariables: Caller;

beforeAll(async () => {
  tenants = await installTenants();
  one = await tenants.caller('member', { org_id: '1' });
  two = await tenants.caller('member', { org_id: '2' });
  admin = await tenants.caller('admin');
  noVariables = await tenants.caller('member');
});
beforeEach(async () => {
  gateway = await tenants.connectGateway();
});
afterAll(async () => {
  await tenants.drop();
  await removeMetadata();
});

const rowsOf = async (caller: Caller, sql: string) =>
  (await askAs(gateway, caller, sql)).rows.flat();

test('a prepared statement returns the rows of its current caller, even after being planned for other callers', async () => {
  for (const mode of ['force_generic_plan', 'force_custom_plan', 'auto']) {
    await gateway.query(`set plan_cache_mode = ${mode}`);
    await gateway.query('deallocate all');
    await askAs(gateway, admin, `prepare p as ${ids}`, 'commit');
    for (let round = 0; round < 7; round += 1) {
      expect(await rowsOf(admin, 'execute p')).toEqual(['1', '2', '3', '4']);
      expect(await rowsOf(one, 'execute p')).toEqual(['1', '2']);
      expect(await rowsOf(two, 'execute p')).toEqual(['3', '4']);
      expect(await rowsOf(noVariables, 'execute p')).toEqual([]);
    }
  }
});

test('a prepared statement fails for a role that may not read one of its columns, although another role prepared it', async () => {
  await askAs(gateway, admin, 'prepare q as select created_by from public.account', 'commit');
  expect((await failureOf(askAs(gateway, one, 'execute q'))).code).toBe('42501');
});

test('a query returns the rows of the new variables after each change of the variables within one transaction', async () => {
  await beginAs(gateway, one);
  expect((await ask(gateway, ids)).rows.flat()).toEqual(['1', '2']);
  await gateway.query("select set_config('gql.org_id', '2', true)");
  expect((await ask(gateway, ids)).rows.flat()).toEqual(['3', '4']);
  await gateway.query("select set_config('gql.org_id', '', true)");
  expect((await ask(gateway, ids)).rows.flat()).toEqual([]);
  await gateway.query('rollback');
});

test('a rollback to a savepoint restores the session variables that were set before the savepoint', async () => {
  await askAs(gateway, two, ids, 'commit');
  await beginAs(gateway, one);
  await gateway.query("savepoint s; select set_config('gql.org_id', '2', true)");
  await gateway.query('rollback to s');
  expect((await ask(gateway, ids)).rows.flat()).toEqual(['1', '2']);
  await gateway.query('rollback');
  expect(await rowsOf(noVariables, ids)).toEqual([]);
});

test('after a failed request, the connection has no role and no variable left', async () => {
  await failureOf(askAs(gateway, two, 'select 1 / 0'));
  expect(await column(gateway, "select current_setting('gql.org_id', true)")).toEqual(['']);
  expect((await failureOf(gateway.query(ids))).code).toBe('42501');
});

test('a cursor of one caller cannot be read by the next caller, because it closes with its transaction', async () => {
  await beginAs(gateway, two);
  await gateway.query(`declare c cursor for ${ids}`);
  await gateway.query('commit');
  expect((await failureOf(askAs(gateway, one, 'fetch all from c'))).code).toBe('34000');
});

test('a cursor returns the rows of the role that opened it, even after a switch to a more powerful role', async () => {
  await beginAs(gateway, one);
  await gateway.query(`declare c cursor for ${ids}`);
  await gateway.query("select set_config('role', $1, true)", [admin.role]);
  expect((await ask(gateway, 'fetch all from c')).rows.flat()).toEqual(['1', '2']);
  await gateway.query('rollback');
});

test('a variable that Postgres sets for a role, a login or a database does not replace the variable of a request', async () => {
  const { superuser, database, prefix } = tenants;
  await superuser.query(`alter role "${prefix}member" set gql.org_id = '2';
    alter role "${prefix}gateway_login" set gql.org_id = '2';
    alter role "${prefix}gateway_login" set search_path = pg_temp;
    alter database "${database.name}" set gql.org_id = '2'`);
  onTestFinished(async () => {
    await superuser.query(`alter role "${prefix}member" reset gql.org_id;
      alter role "${prefix}gateway_login" reset gql.org_id;
      alter role "${prefix}gateway_login" reset search_path;
      alter database "${database.name}" reset gql.org_id`);
  });
  gateway = await tenants.connectGateway();
  expect(await column(gateway, 'show gql.org_id')).toEqual(['2']);
  expect(await rowsOf(noVariables, ids)).toEqual([]);
  expect(await rowsOf(one, ids)).toEqual(['1', '2']);
});

test('a default role set for the gateway login does not replace the role of a request', async () => {
  const { superuser, prefix } = tenants;
  await superuser.query(`alter role "${prefix}gateway_login" set role = '${prefix}admin'`);
  onTestFinished(async () => {
    await superuser.query(`alter role "${prefix}gateway_login" reset role`);
  });
  gateway = await tenants.connectGateway();
  expect(await rowsOf(one, ids)).toEqual(['1', '2']);
});

test('the gateway login cannot switch to the owner or to roles that serve Rowgate itself', async () => {
  for (const role of ['policy', 'gateway_x']) {
    const error = await failureOf(gateway.query(`set role "${tenants.prefix}${role}"`));
    expect(['42501', '22023']).toContain(error.code);
  }
  expect((await failureOf(gateway.query('set role rowgate_owner'))).code).toBe('42501');
});
