import { cp, mkdtemp, readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { migrate } from '../../permissions/index.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { openPlatform, type PlatformOwner } from './platform-owner.ts';

let platform: PlatformOwner;

beforeAll(async () => {
  platform = await openPlatform();
});
afterAll(() => platform.close());

const alder = '00000000-0000-4000-8000-000000000001';
const birch = '00000000-0000-4000-8000-000000000002';
const migrations = fileURLToPath(new URL('../../sql/platform/', import.meta.url));

const invoiceOf = (organization: string) =>
  `insert into public.invoice (organization_id) values ('${organization}') returning invoice_number`;
const depositOf = (organization: string) =>
  `insert into public.fiat_deposit_request (organization_id, amount) values ('${organization}', 1) returning bank_reference`;

/** Returns the remainder of ISO 7064 mod 97-10, which is 1 for a valid reference. */
function remainder(reference: string): bigint {
  const turned = `${reference.slice(4)}${reference.slice(0, 4)}`;
  return BigInt([...turned].map((sign) => Number.parseInt(sign, 36)).join('')) % 97n;
}

test.each([
  ['invoice', invoiceOf(alder), /^INV-\d{4}-\d{6}$/],
  [
    'case',
    `insert into public."case" (organization_id) values ('${alder}') returning case_number`,
    /^CASE-\d{4}-\d{6}$/,
  ],
  [
    'receipt',
    `insert into public.receipt (organization_id, invoice_payment_id)
     select organization_id, id from public.invoice_payment where status = 'pending' limit 1 returning receipt_number`,
    /^REC-\d{4}-\d{6}$/,
  ],
])('a new %s has a number with the year and six digits', async (_, statement, form) => {
  const [[number] = []] = (await platform.attempt(statement)) as string[][];
  expect(number).toMatch(form);
  const [[year] = []] = await platform.rows(
    "select to_char(now() at time zone 'UTC', 'YYYY') as year",
  );
  expect(number?.split('-')[1]).toBe(year);
});

test('a number that accounting writes by hand stays', async () => {
  const byHand = `insert into public.invoice (organization_id, invoice_number) values ('${alder}', 'A/7') returning invoice_number`;
  expect(await platform.attempt(byHand)).toEqual([['A/7']]);
});

test('two organizations never have an invoice with the same number', async () => {
  const again = `insert into public.invoice (organization_id, invoice_number)
    select '${birch}', invoice_number from public.invoice where organization_id = '${alder}' limit 1`;
  expect(await platform.attempt(again)).toBe('23505');
});

test('each of the first 20000 positions of a series has another number of at most six digits', async () => {
  const [found] = await platform.rows(`
    select count(distinct s.number)::int, min(s.number) >= 1000, max(s.number) <= 999999
    from (select rowgate_numbers.scatter(n) as number from generate_series(0, 19999) n) s`);
  expect(found).toEqual([20_000, true, true]);
});

test('the positions after 999000 continue with seven digits', async () => {
  const [found] = await platform.rows(
    'select rowgate_numbers.scatter(998999) < 1000000, rowgate_numbers.scatter(999000) between 1001000 and 1999999',
  );
  expect(found).toEqual([true, true]);
});

test('the next numbers do not reveal how many invoices others received in between', async () => {
  const steps = await platform.rows(`
    select distinct rowgate_numbers.scatter(n + 1) - rowgate_numbers.scatter(n) from generate_series(0, 199) n`);
  expect(steps.length).toBeGreaterThan(190);
});

test('two installations count in different orders', async () => {
  const first = `select rowgate_numbers.scatter(n) from generate_series(0, 9) n`;
  const other = `update rowgate_numbers.secret set key = '\\x00'`;
  expect(await platform.attempt(other, first)).not.toEqual(await platform.rows(first));
});

test('the reference of a deposit is a creditor reference with valid check digits', async () => {
  const references = await platform.rows(
    'select rowgate_numbers.new_reference() from generate_series(1, 100)',
  );
  const [[assigned] = []] = (await platform.attempt(depositOf(alder))) as string[][];
  for (const [reference] of [...references, [assigned]]) {
    expect(reference).toMatch(/^RF\d\d[2-9A-HJ-NP-Z]{12}$/);
    expect(remainder(String(reference))).toBe(1n);
  }
  expect(new Set(references.flat()).size).toBe(100);
});

test('a reference with one wrong character, or two swapped ones, is recognized as wrong', async () => {
  const [[text] = []] = await platform.rows('select rowgate_numbers.creditor_reference($1)', [
    'B7K29XQ4M3TZ',
  ]);
  const reference = String(text);
  for (let place = 4; place < reference.length - 1; place += 1) {
    const [one = '', two = ''] = reference.slice(place, place + 2);
    const before = reference.slice(0, place);
    const wrong = [
      `${before}${one === '8' ? '9' : '8'}${two}${reference.slice(place + 2)}`,
      `${before}${two}${one}${reference.slice(place + 2)}`,
    ];
    expect(wrong.map(remainder)).not.toContain(1n);
  }
});

test('the demo data has valid references of at most 18 characters', async () => {
  const references = await platform.rows(`
    select bank_reference from public.fiat_deposit_request
    union all select bank_reference from public.fiat_withdrawal_request`);
  const invalid = references
    .flat()
    .map(String)
    .filter((one) => one.length > 18 || remainder(one) !== 1n);
  expect(invalid).toEqual([]);
});

test('two transactions get numbers at the same time, without waiting for each other', async () => {
  const database = await createDatabase({ from: 'platform' });
  try {
    const [one, two] = [await database.connectOwner(), await database.connectOwner()];
    for (const client of [one, two]) await client.query("begin; set local lock_timeout = '1s'");
    const first = await one.query(invoiceOf(alder));
    const second = await two.query(invoiceOf(birch));
    const third = await one.query(invoiceOf(birch));
    await Promise.all([one, two].map((client) => client.query('commit')));
    const numbers = [first, second, third].map(({ rows }) => rows[0].invoice_number);
    expect(new Set(numbers).size).toBe(3);
  } finally {
    await database.drop();
  }
});

test('no role may read the series or the secret', async () => {
  const database = await createDatabase({ from: 'applied' });
  try {
    const owner = await database.connectOwner();
    const { rows } = await owner.query(`
      select r.rolname from pg_catalog.pg_roles r
      where has_schema_privilege(r.oid, 'rowgate_numbers', 'usage')
        and not r.rolsuper and r.rolname not in ('rowgate_owner', 'pg_read_all_data', 'pg_write_all_data')
        and not pg_has_role(r.oid, 'rowgate_owner', 'member')`);
    expect(rows).toEqual([]);
  } finally {
    await database.drop();
  }
});

async function databaseBeforeNumbers(): Promise<TestDatabase> {
  const database = await createDatabase({ from: 'gateway' });
  const older = await mkdtemp(path.join(inject('scratch'), 'before-numbers-'));
  for (const name of (await readdir(migrations)).filter((one) => one < '0018')) {
    await cp(path.join(migrations, name), path.join(older, name));
  }
  await migrate(await database.connectOwner(), older, 'platform');
  return database;
}

test('the migration gives short numbers to existing rows, and keeps the earlier ones', async () => {
  const database = await databaseBeforeNumbers();
  try {
    const owner = await database.connectOwner();
    await owner.query(`
      insert into public.organization (id) values ('${alder}'), ('${birch}');
      insert into public."user" (id, organization_id, email) values ('one', '${alder}', 'one@alder.example');
      insert into public.invoice (organization_id, issued_on, created_at) values ('${alder}', '2024-12-31', '2025-01-05');
      insert into public.invoice (organization_id, invoice_number, created_at)
        values ('${alder}', 'INV-7', '2025-01-01'), ('${birch}', 'INV-7', '2025-01-02');
      insert into public.fiat_deposit_request (organization_id, amount, status) values ('${alder}', 1, 'draft'), ('${alder}', 2, 'approved');
      insert into public.kyc_profile (organization_id, user_id, risk_level) values ('${alder}', 'one', 'high');
      insert into public."case" (organization_id, user_id, case_number)
        select organization_id, user_id, 'KYC-' || id || '-HIGH' from public.kyc_profile`);
    await migrate(owner, migrations, 'platform');
    const { rows: invoices } = await owner.query(
      `select i.invoice_number as number, e.number as earlier from public.invoice i
       left join rowgate_numbers.earlier e on e.row_id = i.id order by i.created_at`,
    );
    expect(invoices).toEqual([
      { number: 'INV-7', earlier: null },
      { number: expect.stringMatching(/^INV-2025-\d{6}$/), earlier: 'INV-7' },
      {
        number: expect.stringMatching(/^INV-2024-\d{6}$/),
        earlier: expect.stringMatching(/^INV-[0-9a-f-]{36}$/),
      },
    ]);
    const { rows: deposits } = await owner.query(
      'select bank_reference as reference from public.fiat_deposit_request order by amount',
    );
    expect(deposits).toEqual([
      { reference: expect.stringMatching(/^RF\d\d.{12}$/) },
      { reference: expect.stringMatching(/^DEP-[0-9a-f-]{36}$/) },
    ]);
    const { rows: cases } = await owner.query(
      `select c.case_number as number, rowgate_webhooks.open_risk_case(p) as another
       from public."case" c, public.kyc_profile p`,
    );
    expect(cases).toEqual([{ number: expect.stringMatching(/^CASE-\d{4}-\d{6}$/), another: null }]);
  } finally {
    await database.drop();
  }
});
