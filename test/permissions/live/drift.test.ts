import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { uninstall } from '../../../permissions/apply/uninstall.ts';
import { driftOf, inspectDrift } from '../../../permissions/drift/inspect-drift.ts';
import { failureOf } from '../support/as-role.ts';
import { type Installation, install } from '../support/installation.ts';
import { removeMetadata } from '../support/metadata-files.ts';
import { recordedBy } from './recorded.ts';

const rules = {
  'roles.yaml': 'roles: { clerk: {} }\n',
  'tables/ledger.yaml': 'table: ledger\nlive: true\n',
  'tables/entry.yaml': 'table: entry\nlive: true\n',
};
const schema = `
create table ledger (id int primary key, n int) partition by range (id);
create table ledger_low partition of ledger for values from (0) to (10);
create table entry (id int primary key);
`;

let made: Installation;
beforeAll(async () => {
  made = await install({ schema, rules });
});
afterAll(async () => {
  await made.drop();
  await removeMetadata();
});

async function differences(): Promise<readonly string[]> {
  return (await driftOf(made.owner, await made.prepare())).differences.map(({ text }) => text);
}

async function liveFunction(): Promise<string> {
  const { rows } = await made.owner.query<{ name: string }>(
    `select p.oid::regprocedure::text as name from pg_proc p where p.pronamespace = 'rowgate_policy'::regnamespace and obj_description(p.oid) like '%ledger%'`,
  );
  return rows[0]?.name ?? '';
}

test('apply of a live table leaves nothing pending', async () => {
  expect(await made.pending()).toEqual([]);
});

test.each([
  ['dropped', 'drop trigger "!rowgate/live/insert" on ledger', 'is missing'],
  ['disabled', 'alter table ledger disable trigger "!rowgate/live/update"', 'was altered'],
  [
    'set to fire outside of replication alone',
    'alter table ledger enable trigger "!rowgate/live/delete"',
    'was altered',
  ],
  ['disabled on a partition', 'alter table ledger_low disable trigger user', 'was altered'],
])(
  'a trigger of a live table that was %s is reported as drift, and apply restores it',
  async (_what, deed, how) => {
    await made.owner.query(deed);
    const found = await differences();
    expect(found.length).toBeGreaterThan(0);
    expect(
      found.every((text) => text.startsWith('trigger !rowgate/live/') && text.endsWith(how)),
    ).toBe(true);
    await made.apply();
    expect(await made.pending()).toEqual([]);
  },
);

test('a function of a live table that was rewritten is reported as drift, and apply restores it', async () => {
  await made.owner.query(
    `create or replace function ${await liveFunction()} returns trigger language plpgsql as 'begin return null; end'`,
  );
  expect(await differences()).toEqual([
    expect.stringMatching(/^live function live_[0-9a-f]{16} of public\.ledger was altered$/),
  ]);
  await made.apply();
  expect(await recordedBy(made.owner, 'insert into ledger values (1, 1)')).toHaveLength(1);
});

test('drift detection as the gateway login finds a disabled trigger of a live table', async () => {
  const gateway = await made.connectGateway();
  const model = await made.model();
  const subject = { model, login: `${made.prefix}gateway_login` };
  const first = await inspectDrift(gateway, subject);
  expect(first?.drift.differences).toEqual([]);
  await made.owner.query('alter table ledger disable trigger "!rowgate/live/insert"');
  const second = await inspectDrift(gateway, subject, first?.digest);
  expect(second?.drift.differences.map(({ text }) => text)).toEqual([
    'trigger !rowgate/live/insert on public.ledger was altered',
  ]);
  await made.apply();
});

test.each([
  ['created', 'create table ledger_high partition of ledger for values from (10) to (20)', 'high'],
  [
    'attached',
    'create table ledger_top (id int primary key, n int); alter table ledger attach partition ledger_top for values from (20) to (30)',
    'top',
  ],
])(
  'a partition of a live table that was %s after apply is drift, and records after the next apply',
  async (_what, deed, name) => {
    await made.owner.query(deed);
    const missing = ['insert', 'update', 'delete', 'truncate'].map((operation) =>
      expect.stringMatching(
        `^trigger !rowgate/live/${operation}/live_[0-9a-f]{16} on public.ledger_${name} is missing$`,
      ),
    );
    expect(await differences()).toEqual([
      `row security on public.ledger_${name} is off`,
      ...missing,
    ]);
    expect(await driftOf(made.owner, await made.prepare())).toMatchObject({ pending: 0 });
    await made.apply();
    expect(await differences()).toEqual([]);
    const truncated = await recordedBy(made.owner, `truncate ledger_${name}`);
    expect(truncated).toEqual(['public.ledger | any |']);
  },
);

test('a table that inherits from a live table since apply is drift, and records after the next apply', async () => {
  await made.owner.query('create table archived () inherits (entry)');
  expect(await differences()).toHaveLength(5);
  await made.apply();
  expect(await differences()).toEqual([]);
  expect(await recordedBy(made.owner, 'insert into archived values (1)')).toEqual([
    'public.entry | id=1 | 1',
  ]);
});

test('a pending change of a live table is no drift in its partitions', async () => {
  onTestFinished(() => made.rewrite(rules));
  await made.rewrite({ ...rules, 'tables/ledger.yaml': 'table: ledger\nlive: { keys: [n] }\n' });
  expect(await driftOf(made.owner, await made.prepare())).toMatchObject({
    current: false,
    differences: [],
  });
});

test.each(['live_changes', 'live_sweep', 'live_start'])(
  'a grant of %s to everyone is reported as drift, and apply revokes it',
  async (name) => {
    await made.owner.query(
      `do $$ begin execute (select format('grant execute on function %s to public', p.oid::regprocedure) from pg_proc p where p.proname = '${name}'); end $$`,
    );
    expect(await differences()).toHaveLength(1);
    await made.apply();
    expect(await differences()).toEqual([]);
  },
);

test.each(['select * from rowgate.live_change', 'delete from rowgate.live_ledger'])(
  'the gateway login cannot run "%s"',
  async (sql) => {
    const gateway = await made.connectGateway();
    expect(await failureOf(gateway.query(sql))).toMatchObject({ code: '42501' });
  },
);

test('the triggers of a table that is no longer live are dropped', async () => {
  onTestFinished(async () => {
    await made.rewrite(rules);
    await made.apply();
  });
  await made.rewrite({ ...rules, 'tables/ledger.yaml': 'table: ledger\nlive: false\n' });
  expect(await made.pending()).toContain('drop trigger !rowgate/live/insert on public.ledger');
  await made.apply();
  expect(await made.pending()).toEqual([]);
  expect(await recordedBy(made.owner, 'insert into ledger values (5, 5)')).toEqual([]);
});

test('uninstall drops the triggers, functions and recorded changes, and a later apply restores them', async () => {
  await uninstall(made.owner, { rolePrefix: made.prefix, login: undefined });
  const { rows } = await made.owner.query(
    `select tgname::text as name from pg_trigger where tgname like '!rowgate%'
     union all select relname from pg_class where relname like 'live\\_%'`,
  );
  expect(rows).toEqual([]);
  await made.owner.query('insert into ledger values (6, 6)');
  await made.apply();
  expect(await recordedBy(made.owner, 'insert into ledger values (7, 7)')).toHaveLength(1);
});
