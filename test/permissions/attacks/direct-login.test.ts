import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { failureOf } from '../support/as-role.ts';
import { removeMetadata } from '../support/metadata-files.ts';
import { column, ids, installTenants, type Tenants } from './tenants.ts';

let tenants: Tenants;
/** A Postgres login that inherits role member and has a variable stored in rowgate.login_variable. */
let ann: pg.Client;
/** A Postgres login that inherits role member and has no stored variables. */
let bare: pg.Client;

beforeAll(async () => {
  tenants = await installTenants();
  ann = await tenants.addLogin('ann', ['member'], { org_id: '1' });
  bare = await tenants.addLogin('bare', ['member']);
});
afterAll(async () => {
  await tenants.drop();
  await removeMetadata();
});

test('a direct login sees the rows that its stored variables allow', async () => {
  expect(await column(ann, ids)).toEqual(['1', '2']);
});

test('a direct login without stored variables sees no rows', async () => {
  expect(await column(bare, ids)).toEqual([]);
});

describe.each([
  ['set', "set gql.org_id = '2'"],
  ['set_config', "select set_config('gql.org_id', '2', false)"],
])('a direct login that changes a session variable by %s', (_name, statement) => {
  test('sees no more rows, because only its stored variables count', async () => {
    await ann.query(statement);
    await bare.query(statement);
    expect(await column(ann, ids)).toEqual(['1', '2']);
    expect(await column(bare, ids)).toEqual([]);
  });
});

test('a direct login sees no more rows when its role, database or connection sets a variable', async () => {
  const login = `${tenants.prefix}ann`;
  const { superuser, database } = tenants;
  await superuser.query(`alter role "${login}" set gql.org_id = '2'`);
  await superuser.query(`alter database "${database.name}" set gql.user_id = 'bo'`);
  const again = await tenants.connectAs(login);
  expect(await column(again, 'show gql.org_id')).toEqual(['2']);
  expect(await column(again, ids)).toEqual(['1', '2']);
  expect(await column(again, "select rowgate_api.session_variable('user_id')")).toEqual([null]);
});

test.each(['admin', 'writer', 'gateway', 'policy', 'gateway_login'])(
  'a direct login cannot switch to role %s',
  async (role) => {
    const error = await failureOf(ann.query(`set role "${tenants.prefix}${role}"`));
    expect(error.code).toBe('42501');
  },
);

test('a direct login cannot become another login with set session authorization', async () => {
  const login = `${tenants.prefix}gateway_login`;
  const error = await failureOf(ann.query(`set session authorization "${login}"`));
  expect(error.code).toBe('42501');
});

test('a direct login cannot switch to a role inside its own function', async () => {
  const role = `${tenants.prefix}admin`;
  await ann.query(`create function pg_temp.climb() returns setof integer language plpgsql as $$
    begin set local role "${role}"; return query ${ids}; end $$`);
  expect((await failureOf(ann.query('select pg_temp.climb()'))).code).toBe('42501');
});

test('a direct login that sets row_security = off gets an error instead of more rows', async () => {
  await ann.query('set row_security = off');
  const error = await failureOf(ann.query(ids));
  await ann.query('reset row_security');
  expect([error.code, error.message]).toEqual([
    '42501',
    'query would be affected by row-level security policy for table "account"',
  ]);
});

test('a direct login cannot disable row security or change a policy', async () => {
  for (const statement of [
    'alter table public.account disable row level security',
    'alter table public.account no force row level security',
    'drop policy "rowgate/member/select" on public.account',
    'create policy mine on public.account using (true)',
    'alter policy "rowgate/member/select" on public.account using (true)',
    'alter table public.account disable trigger all',
    'alter table public.account owner to current_user',
  ]) {
    expect((await failureOf(ann.query(statement))).code, statement).toBe('42501');
  }
});

test('a direct login cannot read a table or view of schema rowgate or rowgate_policy by its name', async () => {
  const { rows } = await tenants.superuser.query<{ name: string }>(`
    select n.nspname || '.' || quote_ident(c.relname) as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('rowgate', 'rowgate_policy') and c.relkind in ('r', 'v')`);
  expect(rows.length).toBeGreaterThan(4);
  for (const { name } of rows) {
    const error = await failureOf(ann.query(`select * from ${name}`));
    expect(error.message, name).toMatch(/^permission denied for schema rowgate/);
  }
});

test('a direct login cannot read a policy view with functions that run SQL from a string, such as query_to_xml', async () => {
  const [view] = await column(
    tenants.superuser,
    "select 'rowgate_policy.' || relname from pg_class where relnamespace = 'rowgate_policy'::regnamespace",
  );
  for (const statement of [
    `select query_to_xml('select * from ${view}', true, true, '')`,
    `select table_to_xml(oid, true, true, '') from pg_class where relname = '${String(view).slice(15)}'`,
    `select * from ts_stat('select k1::text::tsvector from ${view}')`,
    `create temp table copied (like ${view})`,
    `copy ${view} to stdout`,
  ]) {
    const error = await failureOf(ann.query(statement));
    expect(error.message, statement).toBe('permission denied for schema rowgate_policy');
  }
});

test('a direct login may execute only four functions of the schemas that Rowgate owns', async () => {
  const { rows } = await tenants.superuser.query(
    `select n.nspname || '.' || p.proname as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
     where n.nspname like 'rowgate%' and has_function_privilege($1, p.oid, 'EXECUTE') order by 1`,
    [`${tenants.prefix}member`],
  );
  expect(rows.map((row) => row.name)).toEqual([
    'rowgate_api.insert_else',
    'rowgate_api.login_variable',
    'rowgate_api.session_variable',
    'rowgate_api.update_each',
  ]);
});

test('a direct login cannot read the stored variable of another login', async () => {
  expect(await column(bare, `select rowgate_api.login_variable('org_id')`)).toEqual([null]);
  expect(await column(bare, `select rowgate_api.session_variable('org_id')`)).toEqual([null]);
});

test('a direct login cannot read or write a file of the server through large objects', async () => {
  await tenants.superuser.query("select lo_from_bytea(4711, 'hidden')");
  for (const statement of [
    "select lo_import('/etc/passwd')",
    "select lo_export(4711, '/tmp/rowgate-attack')",
    'select lo_get(4711)',
    'select lo_unlink(4711)',
    'select * from pg_catalog.pg_largeobject',
    "copy public.account (id) to '/tmp/rowgate-attack'",
    "copy public.account (id) to program 'true'",
    "select pg_read_file('/etc/passwd')",
  ]) {
    expect((await failureOf(ann.query(statement))).code, statement).toBe('42501');
  }
});

describe('a direct login that must switch to its role, because it was granted the role without inheritance,', () => {
  let cy: pg.Client;
  beforeAll(async () => {
    cy = await tenants.addLogin('cy', ['member'], { org_id: '1' });
    await tenants.superuser.query(`alter role "${tenants.prefix}cy" noinherit`);
    await tenants.superuser.query(`revoke "${tenants.prefix}member" from "${tenants.prefix}cy"`);
    await tenants.superuser.query(`grant "${tenants.prefix}member" to "${tenants.prefix}cy"`);
  });

  beforeEach(() => cy.query('reset role'));

  test('cannot read a table before it switches', async () => {
    expect((await failureOf(cy.query(ids))).code).toBe('42501');
  });

  test('sees only the rows of its stored variables after it switches, whatever session variable it sets', async () => {
    await cy.query(`set role "${tenants.prefix}member"; set gql.org_id = '2'`);
    expect(await column(cy, ids)).toEqual(['1', '2']);
  });
});
