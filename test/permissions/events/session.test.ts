import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installTenants, type Tenants, tenantRules } from '../attacks/tenants.ts';
import { askAs, failureOf } from '../support/as-role.ts';
import { removeMetadata } from '../support/metadata-files.ts';
import { takeEvents } from './captured.ts';

const rules = {
  ...tenantRules,
  'tables/account.yaml': `${tenantRules['tables/account.yaml']}
events:
  account_any: { operations: [insert, update, delete], webhook: /hook }
`,
};

let tenants: Tenants;
let gateway: pg.Client;

beforeAll(async () => {
  tenants = await installTenants({ rules });
  gateway = await tenants.connectGateway();
});
afterAll(async () => {
  await tenants.drop();
  await removeMetadata();
});

/** Takes the only captured event and returns its session: the role and the variables of the writer. */
async function capturedSession(): Promise<unknown> {
  const events = await takeEvents(tenants.owner);
  expect(events).toHaveLength(1);
  return events[0]?.session;
}

const change = 'update public.account set note = coalesce(note, $$$$) || 1 where id = 1';

describe('the session stored with an event of a table', () => {
  test('holds the role and the variables of a request to the gateway, named by their headers', async () => {
    const caller = await tenants.caller('writer', { org_id: '1', user_id: 'ann' });
    await askAs(gateway, caller, change, 'commit');
    expect(await capturedSession()).toEqual({
      ...{ 'x-gql-role': 'writer', 'x-gql-org-id': '1', 'x-gql-user-id': 'ann' },
    });
  });

  test('holds the role admin for a request of the admin', async () => {
    await askAs(gateway, await tenants.caller('admin'), change, 'commit');
    expect(await capturedSession()).toEqual({ 'x-gql-role': 'admin' });
  });

  test('holds the role that a direct login inherits, and the stored variables of the login', async () => {
    const ann = await tenants.addLogin('ann', ['writer'], { org_id: '1' });
    await ann.query(`set gql.org_id = '2'`);
    await ann.query(`set gql.user_id = 'somebody else'`);
    await ann.query(change);
    expect(await capturedSession()).toEqual({ 'x-gql-role': 'writer', 'x-gql-org-id': '1' });
  });

  test('holds the same role and variables when the direct login switches to its role', async () => {
    const bo = await tenants.addLogin('bo', ['writer'], { org_id: '1' });
    await bo.query(`set role "${tenants.prefix}writer"`);
    await bo.query(change);
    expect(await capturedSession()).toEqual({ 'x-gql-role': 'writer', 'x-gql-org-id': '1' });
  });

  test.each(['owner', 'superuser'])('is null for a write of the %s', async (who) => {
    const client = { owner: tenants.owner, superuser: tenants.superuser }[who];
    await client?.query(change);
    expect(await capturedSession()).toBeNull();
  });

  test('holds the role that a superuser switched to', async () => {
    await tenants.superuser.query(
      `begin; set local role "${tenants.prefix}admin"; ${change}; commit`,
    );
    expect(await capturedSession()).toEqual({ 'x-gql-role': 'admin' });
  });

  test('holds the caller of a security definer function that writes the row', async () => {
    await tenants.owner.query(`
      create function change_note() returns void language sql security definer set search_path = pg_catalog, pg_temp as '${change}';
      grant execute on function change_note() to "${tenants.prefix}member"`);
    const caller = await tenants.caller('member', { org_id: '1' });
    await askAs(gateway, caller, 'select public.change_note()', 'commit');
    expect(await capturedSession()).toEqual({ 'x-gql-role': 'member', 'x-gql-org-id': '1' });
  });
});

describe('a role that writes rows of a table with event triggers', () => {
  test.each([
    ['cannot read events', 'select * from rowgate_events.event'],
    [
      'cannot insert events',
      `insert into rowgate_events.event (trigger, table_schema, table_name, op, data) values ('account_any', 'public', 'account', 'INSERT', '{}')`,
    ],
    ['cannot call event_session', 'select rowgate_api.event_session()'],
  ])('%s', async (_what, sql) => {
    const caller = await tenants.caller('admin');
    expect(await failureOf(askAs(gateway, caller, sql))).toMatchObject({ code: '42501' });
  });

  test('cannot change what is captured with temporary tables that have the names of tables of the capture function', async () => {
    const eve = await tenants.addLogin('eve', ['writer'], { org_id: '1' });
    await eve.query(`
      create temporary table rowgate_new (id int, note text);
      create temporary table rowgate_old (id int, note text);
      create temporary table event (id int);
      create temporary table account (id int primary key, note text);
      set search_path = pg_temp, public, pg_catalog`);
    await eve.query(change);
    expect(await takeEvents(tenants.owner)).toMatchObject([
      { table: 'public.account', new: { id: 1 } },
    ]);
  });

  test('cannot attach the capture function to a table of its own', async () => {
    const mallory = await tenants.addLogin('mallory', ['writer'], { org_id: '1' });
    await tenants.superuser.query(
      `create schema own authorization "${tenants.prefix}mallory"; grant usage on schema rowgate_policy to "${tenants.prefix}mallory"`,
    );
    await mallory.query('create table own.account (id int, note text)');
    expect(await failureOf(mallory.query(await attaching('own.account')))).toMatchObject({
      code: '42501',
    });
  });
});

/** Returns a statement that attaches the capture function of table account to another table. */
async function attaching(table: string): Promise<string> {
  const { rows } = await tenants.owner.query<{ name: string }>(
    `select p.proname as name from pg_proc p where p.pronamespace = 'rowgate_policy'::regnamespace and p.proname like 'event\\_%'`,
  );
  const name = pg.escapeIdentifier(rows[0]?.name ?? '');
  return `create trigger t after insert on ${table} referencing new table as rowgate_new for each statement execute function rowgate_policy.${name}()`;
}

test('the capture function refuses rows of a table for which it was not created, even if its owner attached it there', async () => {
  await tenants.owner.query('create table public.account_too (id int, note text)');
  await tenants.owner.query(await attaching('public.account_too'));
  const failure = await failureOf(
    tenants.owner.query(`insert into public.account_too values (1, 'secret')`),
  );
  expect(failure).toMatchObject({ code: '42501' });
  expect(JSON.stringify(failure)).not.toContain('secret');
});

test('an update is refused and changes no row when its event cannot be stored', async () => {
  await tenants.owner.query('alter table rowgate_events.event rename to elsewhere');
  const failure = await failureOf(
    tenants.owner.query(`update public.account set note = 'lost' where id = 1`),
  );
  await tenants.owner.query('alter table rowgate_events.elsewhere rename to event');
  expect(JSON.stringify({ ...failure, message: failure.message })).not.toContain('lost');
  const { rows } = await tenants.owner.query('select note from public.account where id = 1');
  expect(rows).not.toEqual([{ note: 'lost' }]);
});
