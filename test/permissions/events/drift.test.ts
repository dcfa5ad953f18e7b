import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { applyMetadata } from '../../../permissions/apply/apply-metadata.ts';
import { uninstall } from '../../../permissions/apply/uninstall.ts';
import { driftOf, inspectDrift } from '../../../permissions/drift/inspect-drift.ts';
import { createLogin } from '../../../permissions/login/create-login.ts';
import { type Installation, install } from '../support/installation.ts';
import { removeMetadata } from '../support/metadata-files.ts';
import { eventsOf } from './captured.ts';

const ledger = (more: string) => `
table: ledger
permissions:
  clerk: { select: { filter: {}, columns: '*' } }
events:
  ledger_any: { operations: [insert, update], webhook: /hook${more} }
`;
const rules = {
  'roles.yaml': 'roles: { clerk: {} }\n',
  'tables/ledger.yaml': ledger(''),
};
const schema = `
create table ledger (id int primary key, n int) partition by range (id);
create table ledger_low partition of ledger for values from (0) to (10);
`;

let made: Installation;
/** Options with which the test applies the metadata. */
const settings = () => ({
  metadata: made.metadata,
  rolePrefix: made.prefix,
  headerPrefix: 'X-Gql-',
  password: 'of a test',
});
beforeAll(async () => {
  made = await install({ schema, rules });
});
afterAll(async () => {
  await made.drop();
  await removeMetadata();
});

/** Replaces the files of the metadata until the end of the test. */
async function rewrite(other: typeof rules): Promise<void> {
  onTestFinished(async () => {
    await made.rewrite(rules);
    await made.apply();
  });
  await made.rewrite(other);
}

async function differences(): Promise<readonly string[]> {
  return (await driftOf(made.owner, await made.prepare())).differences.map(({ text }) => text);
}

/** Returns the qualified name of the function that writes the events of table ledger. */
async function capture(): Promise<string> {
  const { rows } = await made.owner.query<{ name: string }>(
    `select p.oid::regprocedure::text as name from pg_proc p where p.pronamespace = 'rowgate_policy'::regnamespace and p.proname like 'event\\_%'`,
  );
  return rows[0]?.name ?? '';
}

test('apply of a table with an event trigger leaves nothing pending', async () => {
  expect(await made.pending()).toEqual([]);
});

describe.each([
  [
    'an event trigger that was dropped',
    'drop trigger "!rowgate/event/insert" on ledger',
    'is missing',
  ],
  [
    'an event trigger that was disabled',
    'alter table ledger disable trigger "!rowgate/event/update"',
    'was altered',
  ],
  [
    'an event trigger that was set to fire during replication, too',
    `alter table ledger enable always trigger "!rowgate/event/insert"`,
    'was altered',
  ],
  [
    'an event trigger that was disabled on one partition',
    'alter table ledger_low disable trigger user',
    'was altered',
  ],
])('a change to the objects of an event trigger: %s', (_what, deed, how) => {
  test('is reported as drift, and apply restores it', async () => {
    await made.owner.query(deed);
    const found = await differences();
    expect(found.length).toBeGreaterThan(0);
    expect(found.every((text) => text.startsWith('trigger !rowgate/event/'))).toBe(true);
    expect(found.every((text) => text.endsWith(how))).toBe(true);
    await made.apply();
    expect(await made.pending()).toEqual([]);
  });
});

test('drift reports a trigger that captures events if its condition becomes `when (false)`', async () => {
  const name = await capture();
  await made.owner.query(`drop trigger "!rowgate/event/insert" on ledger;
    create trigger "!rowgate/event/insert" after insert on ledger referencing new table as rowgate_new
      for each statement when (false) execute function ${name}`);
  expect(await differences()).toEqual([
    'trigger !rowgate/event/insert on public.ledger was altered',
  ]);
  await made.apply();
});

test.each([
  [
    'rewritten to record nothing',
    (name: string) =>
      `create or replace function ${name} returns trigger language plpgsql as 'begin return null; end'`,
  ],
  [
    'set to run with the rights of the writer',
    (name: string) => `alter function ${name} security invoker`,
  ],
])(
  'a capture function that was %s is reported as drift, and apply restores it',
  async (_what, deed) => {
    await made.owner.query(deed(await capture()));
    expect(await differences()).toEqual([
      expect.stringMatching(/^event function event_[0-9a-f]{16} of public\.ledger was altered$/),
    ]);
    await made.apply();
    expect(
      await eventsOf(
        made.owner,
        'insert into ledger values (1, 1) on conflict (id) do update set n = ledger.n + 1',
      ),
    ).toHaveLength(1);
  },
);

test('a capture function given to another owner is reported as drift, and apply as a superuser restores it', async () => {
  const superuser = await made.database.connectSuperuser();
  await superuser.query(`alter function ${await capture()} owner to "${made.prefix}policy"`);
  expect(await differences()).toContainEqual(
    expect.stringMatching(/^event function .* was altered$/),
  );
  await applyMetadata(superuser, settings());
  expect(await differences()).toEqual([]);
});

test.each([
  'grant execute on function rowgate_api.event_session() to public',
  'grant usage on schema rowgate_events to public',
])('"%s" is reported as drift, and apply revokes it', async (deed) => {
  await made.owner.query(deed);
  expect(await differences()).toHaveLength(1);
  await made.apply();
  expect(await differences()).toEqual([]);
});

test('apply as a superuser gives its functions to the owner of the database, so that they do not run as superuser', async () => {
  await made.owner.query('drop function rowgate_api.event_session()');
  await applyMetadata(await made.database.connectSuperuser(), settings());
  const { rows } = await made.owner.query(
    `select distinct proowner::regrole::text as owner, current_user::text as me from pg_proc where pronamespace::regnamespace::text like 'rowgate%' and proname like 'event\\_%'`,
  );
  expect(rows).toEqual([{ owner: rows[0]?.me, me: rows[0]?.me }]);
  expect(await eventsOf(made.owner, 'insert into ledger values (3, 3)')).toHaveLength(1);
});

test('drift detection as the gateway login finds a dropped event trigger', async () => {
  const gateway = await made.connectGateway();
  const model = await made.model();
  const login = `${made.prefix}gateway_login`;
  const first = await inspectDrift(gateway, { model, login });
  expect(first?.drift.differences).toEqual([]);
  await made.owner.query('drop trigger "!rowgate/event/insert" on ledger');
  const second = await inspectDrift(gateway, { model, login }, first?.digest);
  expect(second?.drift.differences.map(({ text }) => text)).toEqual([
    'trigger !rowgate/event/insert on public.ledger is missing',
  ]);
  await made.apply();
});

test('another webhook address changes only the fingerprint, because triggers do not contain it', async () => {
  await rewrite({ ...rules, 'tables/ledger.yaml': ledger('-too') });
  expect(await made.pending()).toEqual(['replace fingerprint of the metadata']);
  await made.apply();
});

test('login create succeeds although PUBLIC may create temporary tables, because these event triggers call no function', async () => {
  const model = await made.model();
  const role = model.roles.get('clerk');
  const name = `${made.prefix}login`;
  const login = { name, variables: new Map(), password: 'of a test', headerPrefix: 'X-Gql-' };
  await createLogin(made.owner, { ...login, ...(role && { role }) } as Parameters<
    typeof createLogin
  >[1]);
  const { rows } = await made.owner.query('select 1 from pg_roles where rolname = $1', [name]);
  expect(rows).toHaveLength(1);
});

test('event triggers that the metadata no longer has are dropped and record nothing any more', async () => {
  await rewrite({ ...rules, 'tables/ledger.yaml': 'table: ledger\n' });
  expect(await made.pending()).toContain('drop trigger !rowgate/event/insert on public.ledger');
  await made.apply();
  expect(await made.pending()).toEqual([]);
  expect(await eventsOf(made.owner, 'insert into ledger values (5, 5)')).toEqual([]);
});

test('uninstall drops the triggers, functions and events, and after a later apply events are captured again', async () => {
  await uninstall(made.owner, { rolePrefix: made.prefix, login: undefined });
  await made.owner.query('insert into ledger values (6, 6)');
  const { rows } = await made.owner.query(
    `select nspname from pg_namespace where nspname like 'rowgate%' and nspname <> 'rowgate'`,
  );
  expect(rows).toEqual([]);
  await made.apply();
  expect(await eventsOf(made.owner, 'insert into ledger values (7, 7)')).toHaveLength(1);
});
