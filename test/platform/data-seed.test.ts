import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPlatform, type PlatformOwner } from './platform-owner.ts';

let platform: PlatformOwner;

beforeAll(async () => {
  platform = await openPlatform();
});
afterAll(() => platform.close());

/** Returns the quoted names of the platform's tables that have this column. */
async function tablesWith(column: string): Promise<string[]> {
  const found = await platform.rows(
    `select c.oid::regclass::text from pg_catalog.pg_class c
     join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attname = $1
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by 1`,
    [column],
  );
  return found.flat() as string[];
}

test('every table of the platform has demo rows', async () => {
  const empty: string[] = [];
  for (const table of await tablesWith('ctid')) {
    const rows = await platform.rows(`select from ${table} limit 1`);
    empty.push(...(rows.length > 0 ? [] : [table]));
  }
  expect(empty).toEqual([]);
});

test('every table with a tenant column has demo rows of at least three organizations', async () => {
  const narrow: string[] = [];
  for (const table of await tablesWith('organization_id')) {
    const organizations = await platform.rows(`select distinct organization_id from ${table}`);
    narrow.push(...(organizations.length >= 3 ? [] : [table]));
  }
  expect(narrow).toEqual([]);
});

test('every table with a user_id has demo rows for people of at least three organizations', async () => {
  const narrow: string[] = [];
  for (const table of await tablesWith('user_id')) {
    const organizations = await platform.rows(`
      select distinct u.organization_id from ${table} t join public."user" u on u.id = t.user_id`);
    narrow.push(...(organizations.length >= 3 ? [] : [table]));
  }
  expect(narrow).toEqual([]);
});

test('every table has demo rows in every status, except suspended and closed organizations', async () => {
  const unused: string[] = [];
  for (const table of await tablesWith('status')) {
    const missing = await platform.rows(
      `select m[1] from pg_catalog.pg_constraint k,
         pg_catalog.regexp_matches(pg_catalog.pg_get_constraintdef(k.oid), '''([a-z_]+)''::text', 'g') m
       where k.conrelid = $1::regclass and k.contype = 'c'
         and pg_catalog.pg_get_constraintdef(k.oid) ~ 'status = ANY'
         and m[1] not in (select status from ${table})`,
      [table],
    );
    unused.push(...missing.flat().map((state) => `${table} ${state}`));
  }
  expect(unused.sort()).toEqual(['organization closed', 'organization suspended']);
});

test('the demo data has four organizations with ten people each', async () => {
  const people = await platform.rows(
    'select count(*)::int from public."user" group by organization_id',
  );
  expect(people).toEqual([[10], [10], [10], [10]]);
});

test('people of at least two organizations have each role', async () => {
  const roles = await platform.rows(`
    select r.role, count(distinct u.organization_id) > 1 from public.user_role r
    join public."user" u on u.id = r.user_id group by 1`);
  expect(roles.length).toBe(20);
  expect(roles.filter(([, spread]) => !spread)).toEqual([]);
});

test.each([
  [
    'an invoice whose lines do not add up to its total',
    `select i.id from public.invoice i left join public.invoice_line l on l.invoice_id = i.id
     group by i.id having i.total is distinct from sum(l.amount + l.tax_amount)`,
  ],
  [
    'an invoice whose status contradicts its payments',
    `select i.id from public.invoice i
     left join public.invoice_payment p on p.invoice_id = i.id and p.status = 'confirmed'
     group by i.id having (i.status = 'paid') <> (coalesce(sum(p.amount), 0) = i.total)`,
  ],
  [
    'a payment in another currency than its invoice',
    `select p.id from public.invoice_payment p join public.invoice i on i.id = p.invoice_id
     where p.currency <> i.currency`,
  ],
  [
    'a payment without its receipt, or a refunded one whose receipt is not void',
    `select p.id from public.invoice_payment p
     left join public.receipt r on r.invoice_payment_id = p.id
     where r.status is distinct from
       case p.status when 'confirmed' then 'issued' when 'refunded' then 'void' end`,
  ],
  [
    'a settlement that differs from the traded amount and fee',
    `select s.id from public.trade_settlement s
     join public.trade_request r on r.id = s.trade_request_id
     where s.status = 'settled' and s.amount <> round(r.executed_quantity * r.executed_price
       + case r.side when 'buy' then r.fee else -r.fee end, 2)`,
  ],
  [
    'a snapshot of an organization that differs from the sum of its wallets',
    `select o.id from public.portfolio_snapshot o
     join public.portfolio_snapshot w
       on w.organization_id = o.organization_id and w.taken_on = o.taken_on
       and w.digital_wallet_id is not null
     where num_nonnulls(o.user_id, o.fund_id, o.digital_wallet_id) = 0
     group by o.id having o.total_usd <> sum(w.total_usd)`,
  ],
  [
    'a snapshot whose time does not belong to its day in UTC',
    `select id from public.portfolio_snapshot
     where created_at <> (taken_on + 1)::timestamp at time zone 'UTC'`,
  ],
])('the demo data does not contain %s', async (_, wrong) => {
  expect(await platform.rows(wrong)).toEqual([]);
});
