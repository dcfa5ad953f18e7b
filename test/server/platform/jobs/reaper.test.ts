import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { prepareMailQueue } from '../../../../server/mail/mail-queue.ts';
import { reaperJob } from '../../../../server/platform/jobs/reaper-job.ts';
import { openQueue, type Queue } from '../../../../server/queue/open-queue.ts';
import { context, type JobsWorld, makeJobsWorld, silent } from './support/jobs-world.ts';

const admin = 'local|e6-admin';
const organization = '00000000-0000-4000-8000-000000000001';
const wallet = '10000000-0000-4000-8000-000000000101';

let world: JobsWorld;
let queue: Queue;
let owner: pg.Client;

beforeAll(async () => {
  world = await makeJobsWorld();
  queue = await openQueue({ url: world.login.url, works: false, logger: silent });
  await prepareMailQueue(queue.boss);
  for (const name of ['events', 'callbacks']) await queue.boss.createQueue(name);
  owner = await world.database.connectOwner();
  await world.sql(
    `insert into public."user" (id, organization_id, email, platform_admin)
       values ('${admin}', '${organization}', 'e6-admin@example.com', true)`,
  );
});

afterAll(async () => {
  await queue?.close();
  await world?.end();
});

beforeEach(async () => {
  await world.sql(
    `set session_replication_role = replica;
     truncate rowgate_events.event, rowgate_webhooks.inbox, rowgate_mail.outbox, rowgate_mail.letter,
       public.notification, public.asset_transaction, public.coin_price, public.currency_rate, public.report cascade`,
    'delete from rowgate_queue.job',
  );
});

function run() {
  const { pool } = world;
  return reaperJob({ pool, queue, logger: silent }).run(context());
}

function event(values: string): Promise<readonly unknown[]> {
  return world.sql(
    `insert into rowgate_events.event
       (id, trigger, table_schema, table_name, op, data, created_at, relayed_at, tries, dead_at, dead_reason)
     values ${values}`,
  );
}

const hours = (amount: number) => `now() - interval '${amount} hours'`;
const uuid = (number: number) => `'e6000000-0000-4000-8000-00000000000${number}'`;

test('the reaper, a job that finds and repairs stuck work, reports nothing in a healthy system', async () => {
  const { ok, detail } = await run();
  expect(ok).toBe(true);
  expect(detail).toEqual({
    dead_runs: 0,
    failing_webhooks: [],
    events_sent_again: 0,
    callbacks_sent_again: 0,
    mails_sent_again: 0,
    mails_late: 0,
    reports_again: 0,
    stale_prices: [],
    stale_rates: [],
    balances: { count: 0, first: [] },
    late_transactions: { count: 0, first: [] },
  });
});

test('the reaper job, which repairs stuck work, notifies platform admins once of a webhook that keeps failing', async () => {
  const row = `'wallet_update', 'public', 'digital_wallet', 'UPDATE', '{}'`;
  await event(`(${uuid(1)}, ${row}, ${hours(5)}, ${hours(5)}, 21, ${hours(1)}, 'it answered 500'),
    (${uuid(2)}, ${row}, ${hours(9)}, ${hours(9)}, 21, ${hours(7)}, 'long ago'),
    (${uuid(3)}, ${row}, ${hours(1)}, ${hours(1)}, 3, null, null)`);
  const { detail } = await run();
  await run();
  expect(detail.failing_webhooks).toEqual([
    { trigger: 'wallet_update', given_up: 1, late: 1, reason: 'it answered 500' },
  ]);
  const notified = await world.sql<{ user_id: string; title: string; body: string }>(
    'select user_id, title, body from public.notification',
  );
  expect(notified.filter(({ user_id }) => user_id === admin)).toEqual([
    {
      user_id: admin,
      title: 'The webhook of wallet_update fails',
      body: expect.stringContaining(
        '1 events were given up in the last 6 hours, 1 are tried again',
      ),
    },
  ]);
  // No administrator is notified twice.
  expect(new Set(notified.map(({ user_id }) => user_id)).size).toBe(notified.length);
});

test('the reaper job, which repairs stuck work, returns events without a job to the relay, which queues a new job', async () => {
  const row = `'t', 'public', 'x', 'INSERT', '{}'`;
  const relayed = `now() - interval '16 minutes', 0, null, null`;
  await event(`(${uuid(1)}, ${row}, ${hours(1)}, ${relayed}),
    (${uuid(2)}, ${row}, ${hours(1)}, ${relayed}),
    (${uuid(3)}, ${row}, ${hours(1)}, now() - interval '14 minutes', 0, null, null)`);
  await queue.boss.send('events', { id: uuid(2).replaceAll("'", ''), at: 'x' });
  expect((await run()).detail.events_sent_again).toBe(1);
  expect(
    await world.sql(`select id::text from rowgate_events.event where relayed_at is null`),
  ).toEqual([{ id: uuid(1).replaceAll("'", '') }]);
});

test('the reaper job, which repairs stuck work, queues a job for a callback that has lost its job', async () => {
  await world.sql(
    `insert into rowgate_webhooks.inbox (id, provider, event_key, received_at, body, payload, state) values
       (${uuid(1)}, 'card', 'a', now() - interval '16 minutes', '', '{}', 'stored'),
       (${uuid(2)}, 'card', 'b', now() - interval '14 minutes', '', '{}', 'stored'),
       (${uuid(3)}, 'card', 'c', ${hours(1)}, '', '{}', 'done')`,
  );
  expect((await run()).detail.callbacks_sent_again).toBe(1);
  expect((await run()).detail.callbacks_sent_again).toBe(0);
  expect(await world.sql(`select data from rowgate_queue.job where name = 'callbacks'`)).toEqual([
    { data: { id: uuid(1).replaceAll("'", '') } },
  ]);
});

test('the reaper job, which repairs stuck work, queues a job for a mail that has lost its job', async () => {
  await world.sql(
    `insert into rowgate_mail.letter (key) values ('a'), ('b')`,
    `insert into rowgate_mail.outbox (id, key, recipient, subject, text, html, message_id, created_at) values
       (${uuid(1)}, 'a', 'a@example.com', 's', 't', 'h', 'm', ${hours(2)}),
       (${uuid(2)}, 'b', 'a@example.com', 's', 't', 'h', 'm', now())`,
  );
  expect((await run()).detail).toMatchObject({ mails_sent_again: 1, mails_late: 1 });
  expect((await run()).detail).toMatchObject({ mails_sent_again: 0, mails_late: 1 });
});

test('the reaper job, which repairs stuck work, requests a report again that has been generating for more than an hour', async () => {
  await world.sql(
    `set session_replication_role = replica;
     insert into public.report (organization_id, title, status, updated_at) values
       ('${organization}', 'stuck', 'generating', ${hours(2)}),
       ('${organization}', 'going on', 'generating', now() - interval '59 minutes')`,
  );
  expect((await run()).detail.reports_again).toBe(1);
  expect(await world.sql('select title, status from public.report order by title desc')).toEqual([
    { title: 'stuck', status: 'requested' },
    { title: 'going on', status: 'generating' },
  ]);
});

test('the reaper job, which repairs stuck work, reports a balance that differs from the sum of its transactions, and does not change it', async () => {
  await world.sql(
    `update public.digital_wallet set balance = 2.5 where id = '${wallet}'`,
    `insert into public.asset_transaction
       (organization_id, digital_wallet_id, coin, direction, amount, fee, status, occurred_at, counted_at) values
       ('${organization}', '${wallet}', 'BTC', 'in', 3, 0.5, 'confirmed', now(), now()),
       ('${organization}', '${wallet}', 'BTC', 'out', 1, 0.0001, 'confirmed', now(), now()),
       ('${organization}', '${wallet}', 'BTC', 'in', 7, 0, 'confirmed', now(), null)`,
  );
  const { ok, detail } = await run();
  expect(ok).toBe(true);
  expect(detail.balances).toEqual({
    count: 1,
    first: [
      { wallet, coin: 'BTC', balance: '2.500000000000000000', counted: '1.999900000000000000' },
    ],
  });
  expect(
    await world.sql(`select balance from public.digital_wallet where id = '${wallet}'`),
  ).toEqual([{ balance: '2.500000000000000000' }]);
});

test('the reaper job, which repairs stuck work, reports transactions that have been pending for more than a day', async () => {
  const values = (number: number, status: string, at: string) =>
    `(${uuid(number)}, '${organization}', '${wallet}', 'BTC', 1, '${status}', ${at})`;
  await world.sql(
    `insert into public.asset_transaction
       (id, organization_id, digital_wallet_id, coin, amount, status, occurred_at) values
       ${values(1, 'pending', hours(25))}, ${values(2, 'pending_approval', hours(25))},
       ${values(3, 'pending', hours(23))}, ${values(4, 'failed', hours(25))}`,
  );
  const ids = [1, 2].map((number) => uuid(number).replaceAll("'", ''));
  expect((await run()).detail.late_transactions).toEqual({ count: 2, first: ids });
});

test('the reaper job, which repairs stuck work, marks prices older than an hour as stale', async () => {
  await world.sql(
    `insert into public.coin_price (coin, quoted_at, price, source) values
       ('BTC', now() - interval '61 minutes', 1, 'x'), ('ETH', now() - interval '59 minutes', 1, 'x')`,
  );
  expect((await run()).detail.stale_prices).toEqual(['BTC']);
});

test('the reaper job, which repairs stuck work, continues after a failed step', async () => {
  await owner.query('alter table rowgate_mail.outbox rename to hidden');
  const { ok, detail } = await run().finally(() =>
    owner.query('alter table rowgate_mail.hidden rename to outbox'),
  );
  expect(ok).toBe(false);
  expect(detail.error).toBe('failed: mails_sent_again, mails_late');
  expect(detail.late_transactions).toEqual({ count: 0, first: [] });
});

test('the reaper job, which repairs stuck work, reports a transaction that was confirmed a day ago and not counted in the balance', async () => {
  await owner.query('alter table public.asset_transaction disable trigger user');
  const { rows } = await owner.query(
    `insert into public.asset_transaction
         (organization_id, digital_wallet_id, coin, amount, status, occurred_at, confirmed_at, updated_at, counted_at)
       select w.organization_id, w.id, w.coin, 1, 'confirmed', t.at, t.at, t.at, t.counted_at
       from (select * from public.digital_wallet order by id limit 1) w
       cross join (values (now() - interval '25 hours', null), (now() - interval '25 hours', now()), (now(), null)) t (at, counted_at)
       returning id, counted_at, occurred_at < now() - interval '1 day' as is_old`,
  );
  await owner.query('alter table public.asset_transaction enable trigger user');
  const [lost] = rows.filter((row) => row.is_old && row.counted_at === null);
  expect((await run()).detail.late_transactions).toEqual({ count: 1, first: [lost.id] });
});
