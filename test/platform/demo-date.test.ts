import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrate } from '../../permissions/index.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';

const folder = (scope: string) => fileURLToPath(new URL(`../../sql/${scope}/`, import.meta.url));

let database: TestDatabase;
let owner: pg.Client;
let seeds: readonly string[];

beforeAll(async () => {
  database = await createDatabase({ from: 'gateway' });
  owner = await database.connectOwner();
  await migrate(owner, folder('platform'), 'platform');
  const names = (await readdir(folder('seed'))).filter((name) => name.endsWith('.sql')).sort();
  seeds = await Promise.all(names.map((name) => readFile(path.join(folder('seed'), name), 'utf8')));
});
afterAll(() => database.drop());

/** Creates the demo data as on a day, returns the rows of each query, and undoes everything. An empty day is today. */
async function demo(day: string, ...queries: readonly string[]): Promise<unknown[][]> {
  await owner.query('begin');
  try {
    await owner.query("select set_config('rowgate.demo_date', $1, true)", [day]);
    for (const text of seeds) await owner.query(text);
    const results: unknown[][] = [];
    for (const text of queries) results.push((await owner.query(text)).rows);
    return results;
  } finally {
    await owner.query('rollback');
  }
}

const present =
  "coalesce(nullif(current_setting('rowgate.demo_date'), '')::date, (now() at time zone 'UTC')::date)";

const faults = [
  `select id, created_at from public.invoice where status = 'overdue' and ${present} - due_on not between 1 and 30`,
  `select id from public.invoice where status = 'issued' and due_on <= ${present}`,
  `select invoice_number from public.invoice where extract(year from coalesce(issued_on, created_at))::text <> split_part(invoice_number, '-', 2)`,
  `select receipt_number from public.receipt where extract(year from issued_at)::text <> split_part(receipt_number, '-', 2)`,
  `select n.body from public.notification n where n.kind = 'invoice' and not exists (select from public.invoice i where i.invoice_number = n.body)`,
  `select n.body from public.notification n where n.kind = 'case' and not exists (select from public."case" c where c.case_number = n.body)`,
  `select title from public.report where period_to >= created_at::date or date_trunc('month', period_from) <> period_from
     or (title ~ '\\d{4}$' and right(title, 4) <> to_char(period_from, 'YYYY'))`,
  `select title from public.report where period_to - period_from < 300 and (title !~ to_char(period_from, 'FMMonth YYYY') and title ~ ',')`,
  `select l.description from public.invoice_line l join public.invoice i on i.id = l.invoice_id
     where l.description ~ ' \\d{4}$' and l.description !~ to_char(i.issued_on - interval '1 month', 'FMMonth YYYY')`,
  `select id from public.card where status = 'active' and expires_on <= ${present}`,
  `select id from public.card where extract(day from expires_on + 1) <> 1`,
  `select id from public.asset_transaction where occurred_at > now() and ${present} <= now()::date`,
  `select (rowgate_jobs.balance_differences() -> 'first') as wallets where rowgate_jobs.balance_differences() ->> 'count' <> '0'`,
  `select w.id from public.digital_wallet w join public.coin_price p on p.coin = w.coin
     where p.quoted_at = (select max(quoted_at) from public.coin_price) and abs(w.usd_value - w.balance * p.price) > 1`,
  `select id from public.portfolio_snapshot where created_at <> (taken_on + 1)::timestamp at time zone 'UTC'`,
  `select u.id from public."user" u where u.status = 'active' and not exists (select from public.notification n where n.user_id = u.id)`,
];

test.each(['', '2028-02-29', '2026-12-31', '2027-01-01', '2027-03-31'])(
  'the demo data that is created on the day "%s" fits to this day',
  async (day) => {
    const found = await demo(day, ...faults);
    expect(found).toEqual(faults.map(() => []));
  },
);

describe('new demo data', () => {
  test('gives the reaper nothing to report', async () => {
    const [rows] = await demo(
      '',
      `select rowgate_jobs.balance_differences() ->> 'count' as balances,
         rowgate_jobs.late_transactions() ->> 'count' as transactions, rowgate_jobs.request_reports_again() as reports,
         rowgate_jobs.mark_stale_prices('1 hour') as prices, rowgate_jobs.mark_stale_rates('4 days') as rates`,
    );
    expect(rows).toEqual([{ balances: '0', transactions: '0', reports: 0, prices: [], rates: [] }]);
  });

  test('has the values of two weeks and of today for the picture of each wallet of a person', async () => {
    const [rows] = await demo(
      '',
      `select w.label, cardinality(array_remove(s.totals, null)) as days
       from public.digital_wallet w, rowgate_documents.wallet_series(w.id, w.user_id, 30) s
       where w.user_id is not null and w.balance > 0 order by w.label`,
    );
    expect(rows).toEqual(
      ['Alder operations', 'Cleo personal', 'Gia personal', 'Gil personal'].map((label) => ({
        label,
        days: 15,
      })),
    );
  });

  test('fires no triggers that would report its dates as changes', async () => {
    const [changes, disabled] = await demo(
      '',
      'select id from public.organization where updated_at >= now()',
      "select tgname from pg_catalog.pg_trigger where not tgisinternal and tgenabled = 'D'",
    );
    expect([changes, disabled]).toEqual([[], []]);
  });
});
