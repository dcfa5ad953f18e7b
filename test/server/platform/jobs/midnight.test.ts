import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { midnightJob } from '../../../../server/platform/jobs/midnight-job.ts';
import { context, type JobsWorld, makeJobsWorld } from './support/jobs-world.ts';

const organization = '00000000-0000-4000-8000-0000000000e6';
const other = '00000000-0000-4000-8000-0000000000e7';
const person = 'local|e6-person';
const fund = '40000000-0000-4000-8000-0000000000e6';
const midnight = new Date('2026-03-11T00:00:00Z');

let world: JobsWorld;

beforeAll(async () => {
  world = await makeJobsWorld();
  // Settles the demo rows that the midnight job would count in addition to the rows of the test.
  await world.sql(
    `set session_replication_role = replica;
     truncate public.digital_wallet, public.fund, public.portfolio_snapshot, public.coin_price, public.currency_rate,
       public.fund_subscription, public.trade_request, public.fiat_withdrawal_request, public.otc_quote,
       public.kyc_profile, public.kyc_document, public.notification, public.report cascade`,
    `insert into public.organization (id, name) values ('${organization}', 'E6'), ('${other}', 'E7')`,
    `insert into public."user" (id, organization_id, email)
       values ('${person}', '${organization}', 'e6@example.com')`,
    `insert into public.coin_price (coin, quoted_at, price, source) values
       ('BTC', '2026-03-10 23:45:00+00', 80000.005, 'median'),
       ('BTC', '2026-03-10 12:00:00+00', 1, 'median'),
       ('BTC', '2026-03-11 00:00:00+00', 2, 'median'),
       ('ETH', '2026-03-10 00:00:00+00', 2500.5, 'kraken'),
       ('SOL', '2026-03-09 23:59:59+00', 100, 'kraken')`,
    `insert into public.currency_rate (base_currency, quote_currency, quoted_at, rate, source) values
       ('EUR', 'USD', '2026-03-06 13:10:00+00', 1.25, 'ecb'),
       ('GBP', 'USD', '2026-03-05 13:10:00+00', 1.5, 'ecb')`,
  );
});

afterAll(async () => {
  await world?.end();
});

beforeEach(async () => {
  await world.sql(
    `set session_replication_role = replica;
     truncate public.digital_wallet, public.fund, public.portfolio_snapshot cascade`,
  );
});

async function run(generateReports = async () => 0) {
  return midnightJob(world.pool, generateReports).run(context(midnight));
}

function wallet(values: string): Promise<readonly unknown[]> {
  return world.sql(
    `insert into public.digital_wallet
       (organization_id, user_id, coin, balance, status, created_at) values ${values}`,
  );
}

interface Snapshot {
  readonly of: string;
  readonly total: string;
  readonly holdings: object;
  readonly unpriced: readonly string[];
}

function snapshots(): Promise<readonly Snapshot[]> {
  return world.sql<Snapshot>(
    `select case when user_id is not null then 'person' when fund_id is not null then 'fund'
         when digital_wallet_id is not null then 'wallet' else 'organization' end as of,
       total_usd as total, holdings, unpriced
     from public.portfolio_snapshot where taken_on = '2026-03-10' order by 1, total_usd`,
  );
}

const before = "'2026-03-01 00:00:00+00'";

test('the midnight job stores the value of wallets, people and organizations at the last price of the day', async () => {
  await wallet(`('${organization}', '${person}', 'BTC', 1.5, 'active', ${before}),
    ('${organization}', '${person}', 'ETH', 2, 'locked', ${before}),
    ('${organization}', null, 'BTC', 0.25, 'active', ${before})`);
  await run();
  // 1.5 × 80000.005 = 120000.0075; 2 × 2500.5 = 5001; 0.25 × 80000.005 = 20000.00125
  expect(await snapshots()).toMatchObject([
    { of: 'organization', total: '145001.01', holdings: { BTC: 1.75, ETH: 2 }, unpriced: [] },
    { of: 'person', total: '125001.01', holdings: { BTC: 1.5, ETH: 2 }, unpriced: [] },
    { of: 'wallet', total: '5001.00', holdings: { ETH: 2 }, unpriced: [] },
    { of: 'wallet', total: '20000.00', holdings: { BTC: 0.25 }, unpriced: [] },
    { of: 'wallet', total: '120000.01', holdings: { BTC: 1.5 }, unpriced: [] },
  ]);
});

test('the midnight job stores no value for a coin without a price on that day, and names the coin', async () => {
  await wallet(`('${organization}', '${person}', 'SOL', 10, 'active', ${before}),
    ('${organization}', null, 'ETH', 1, 'active', ${before})`);
  const { detail } = await run();
  expect(await snapshots()).toMatchObject([
    { of: 'organization', total: '2500.50', holdings: { ETH: 1, SOL: 10 }, unpriced: ['SOL'] },
    { of: 'wallet', total: '2500.50', holdings: { ETH: 1 } },
  ]);
  expect(detail.snapshots).toMatchObject({ people: 0, unpriced: ['SOL'] });
});

test('the midnight job stores the value zero for empty wallets, and nothing for drafts and wallets created later', async () => {
  await wallet(`('${organization}', null, 'SOL', 0, 'active', ${before}),
    ('${other}', null, 'BTC', 0, 'draft', ${before}),
    ('${other}', null, 'BTC', 1, 'active', '2026-03-11 00:00:00+00')`);
  await run();
  expect(await snapshots()).toMatchObject([
    { of: 'organization', total: '0.00', holdings: { SOL: 0 }, unpriced: [] },
    { of: 'wallet', total: '0.00', holdings: { SOL: 0 }, unpriced: [] },
  ]);
});

test('a balance too large for the column does not stop the midnight job from storing other values', async () => {
  await wallet(`('${organization}', null, 'BTC', 99999999999999999999, 'active', ${before}),
    ('${other}', null, 'ETH', 1, 'active', ${before})`);
  await run();
  expect(await snapshots()).toMatchObject([
    { of: 'organization', total: '2500.50' },
    { of: 'wallet', total: '2500.50' },
  ]);
});

test('the midnight job changes nothing when it runs again for the same day', async () => {
  await wallet(`('${organization}', null, 'ETH', 1, 'active', ${before})`);
  await run();
  await world.sql('update public.digital_wallet set balance = 100');
  const { detail } = await run();
  expect(detail.snapshots).toMatchObject({ wallets: 0, organizations: 0 });
  expect((await snapshots()).map(({ total }) => total)).toEqual(['2500.50', '2500.50']);
});

test('the midnight job values a fund by its subscriptions minus withdrawals, plus the coins of its trades', async () => {
  await world.sql(
    `insert into public.fund (id, organization_id, name, status, created_at)
       values ('${fund}', '${organization}', 'F', 'open', ${before})`,
    `insert into public.fund_subscription (user_id, fund_id, subscription_amount, currency, status) values
       ('${person}', '${fund}', 100000, 'USD', 'active'), ('${person}', '${fund}', 1000, 'EUR', 'active'),
       ('${person}', '${fund}', 7, 'GBP', 'active'), ('${person}', '${fund}', 5000, 'USD', 'submitted')`,
    `insert into public.trade_request
       (organization_id, fund_id, side, pair, quantity, executed_quantity, executed_price, fee, status) values
       ('${organization}', '${fund}', 'buy', 'ETH/USD', 4, 4, 2000, 10.5, 'settled'),
       ('${organization}', '${fund}', 'sell', 'ETH/USD', 1, 1, 2400, 2, 'settled'),
       ('${organization}', '${fund}', 'buy', 'ETH/USD', 9, 9, 2000, 0, 'executed')`,
    `insert into public.fiat_withdrawal_request (organization_id, fund_id, amount, fee, status) values
       ('${organization}', '${fund}', 500, 1, 'completed'), ('${organization}', '${fund}', 77, 0, 'approved')`,
  );
  await run();
  // Money: 100000 − 8000 − 10.50 + 2400 − 2 − 501 = 93886.50; 1000 × 1.25 = 1250; coins: 3 × 2500.5 = 7501.50
  expect(await snapshots()).toEqual([
    { of: 'fund', total: '102638.00', holdings: { ETH: 3 }, unpriced: ['GBP'] },
  ]);
});

test('the midnight job continues after a failed report, and the run fails with the name of that step', async () => {
  await wallet(`('${organization}', null, 'ETH', 1, 'active', ${before})`);
  const { ok, detail } = await run(async () => {
    throw new Error('the printer is on fire');
  });
  expect(ok).toBe(false);
  expect(detail).toMatchObject({
    day: '2026-03-10',
    error: 'failed: reports',
    failures: { reports: 'the printer is on fire' },
    snapshots: { wallets: 1 },
    'rowgate_jobs.clean_platform': { sessions: 0 },
  });
});

test('the midnight job deletes old rows of every table with a limited retention', async () => {
  const { detail } = await run();
  expect(Object.keys(detail).filter((step) => step.includes('.'))).toEqual([
    'rowgate_jobs.clean',
    'rowgate_jobs.clean_platform',
    'rowgate_mail.clean',
    'rowgate_webhooks.clean_effects',
    'rowgate_webhooks.clean_inbox',
    'rowgate_webhooks.clean_reminders',
  ]);
});

test('the midnight job deletes rows after their retention and not before', async () => {
  await world.sql(
    `insert into rowgate_auth.session (sid, sess, expire) values
       ('gone', '{}', now() - interval '1 minute'), ('kept', '{}', now() + interval '1 minute')`,
    `insert into rowgate_auth.revoked_token (digest, expires_at) values
       ('\\x01', now() - interval '1 minute'), ('\\x02', now() + interval '1 minute')`,
    `insert into rowgate_auth.rate_limit (key, points, expire) values
       ('gone', 1, extract(epoch from now()) * 1000 - 60000), ('kept', 1, extract(epoch from now()) * 1000 + 60000),
       ('ever', 1, null)`,
    `insert into public.notification (organization_id, user_id, title, read_at, created_at) values
       ('${organization}', '${person}', 'gone', now() - interval '91 days', now() - interval '92 days'),
       ('${organization}', '${person}', 'kept', now() - interval '89 days', now() - interval '92 days'),
       ('${organization}', '${person}', 'unread', null, now() - interval '192 days')`,
    `insert into rowgate_jobs.run (name, started_at, finished_at, outcome, instance) values
       ('gone', now() - interval '91 days', now() - interval '91 days', 'ok', 'x'),
       ('kept', now() - interval '89 days', now() - interval '89 days', 'ok', 'x')`,
  );
  await run();
  expect(
    await world.sql(
      `select sid as what from rowgate_auth.session
       union all select digest::text from rowgate_auth.revoked_token
       union all select key from rowgate_auth.rate_limit
       union all select title from public.notification
       union all select name from rowgate_jobs.run order by 1`,
    ),
  ).toEqual(['\\x02', 'ever', 'kept', 'kept', 'kept', 'kept', 'unread'].map((what) => ({ what })));
});

test('the midnight job deletes sent mails after 30 days, failed ones after 90, and waiting ones never', async () => {
  await world.sql(
    `insert into rowgate_mail.letter (key) values ('a')`,
    `insert into rowgate_mail.outbox (key, recipient, subject, text, html, message_id, state, created_at, sent_at)
       select 'a', m.recipient, '', '', '', '', m.state, now() - m.age, now() - m.sent
       from (values
         ('sent, gone', 'sent', interval '40 days', interval '31 days'),
         ('sent, kept', 'sent', interval '40 days', interval '29 days'),
         ('failed, gone', 'failed', interval '91 days', null),
         ('failed, kept', 'failed', interval '89 days', null),
         ('waiting, kept', 'waiting', interval '400 days', null)) m (recipient, state, age, sent)`,
  );
  const { detail } = await run();
  expect(detail['rowgate_mail.clean']).toBe(2);
  expect(await world.sql('select recipient from rowgate_mail.outbox order by 1')).toEqual([
    { recipient: 'failed, kept' },
    { recipient: 'sent, kept' },
    { recipient: 'waiting, kept' },
  ]);
});

test('the midnight job changes rows whose end has passed to expired, when their status allows it', async () => {
  await world.sql(
    `insert into public.otc_quote (organization_id, status, expires_at, fee) values
       ('${organization}', 'quoted', now() - interval '1 minute', 1),
       ('${organization}', 'quoted', now() + interval '1 minute', 2),
       ('${organization}', 'rejected', now() - interval '1 minute', 3)`,
    `insert into public.trade_request (organization_id, quantity, status, expires_at, fee) values
       ('${organization}', 1, 'submitted', now() - interval '1 minute', 4),
       ('${organization}', 1, 'settled', now() - interval '1 minute', 5)`,
    `insert into public.kyc_profile (organization_id, user_id, status, expires_on) values
       ('${organization}', '${person}', 'approved', (now() at time zone 'UTC')::date - 1)`,
    `insert into public.kyc_document (organization_id, kyc_profile_id, status, expires_on)
       select organization_id, id, 'approved', (now() at time zone 'UTC')::date from public.kyc_profile`,
  );
  const { detail } = await run();
  expect(detail.expired).toEqual({ kyc_profile: 1, otc_quote: 1, trade_request: 1 });
  expect(
    await world.sql(
      `select status from public.otc_quote union all
       select status from public.trade_request where expires_at is not null union all
       select status from public.kyc_profile union all select status from public.kyc_document order by 1`,
    ),
  ).toEqual(
    ['approved', 'expired', 'expired', 'expired', 'quoted', 'rejected', 'settled'].map(
      (status) => ({
        status,
      }),
    ),
  );
});
