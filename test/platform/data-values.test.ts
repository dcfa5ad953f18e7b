import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPlatform, type PlatformOwner } from './platform-owner.ts';

let platform: PlatformOwner;

beforeAll(async () => {
  platform = await openPlatform();
});
afterAll(() => platform.close());

/** Returns the columns that a check limits to a list of values: table, column, values, comment. */
async function listed(): Promise<[string, string, string[], string][]> {
  return (await platform.rows(`
    select k.conrelid::regclass::text, pg_catalog.quote_ident(a.attname),
      array(select m[1] from pg_catalog.regexp_matches(
        pg_catalog.pg_get_constraintdef(k.oid), '''([a-z_]+)''::text', 'g') m),
      pg_catalog.col_description(a.attrelid, a.attnum)
    from pg_catalog.pg_constraint k
    join pg_catalog.pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
    where k.contype = 'c' and k.connamespace = 'public'::regnamespace
      and pg_catalog.pg_get_constraintdef(k.oid) ~ '= ANY'`)) as [
    string,
    string,
    string[],
    string,
  ][];
}

/** Returns the numeric columns that are not generated: table and column. */
async function numbers(): Promise<[string, string][]> {
  return (await platform.rows(`
    select a.attrelid::regclass::text, pg_catalog.quote_ident(a.attname)
    from pg_catalog.pg_attribute a
    join pg_catalog.pg_class c on c.oid = a.attrelid and c.relkind = 'r'
    where c.relnamespace = 'public'::regnamespace and a.atttypid = 'numeric'::regtype
      and a.attnum > 0 and a.attgenerated = '' and not a.attisdropped`)) as [string, string][];
}

/** Returns the columns that accept a value, because no check refuses it. */
async function accepting(found: readonly [string, string, ...unknown[]][], value: string) {
  const accepted: string[] = [];
  for (const [table, column] of found) {
    const outcome = await platform.attempt(`update ${table} set ${column} = ${value}`);
    accepted.push(...(outcome === '23514' ? [] : [`${table}.${column}`]));
  }
  return accepted.sort();
}

test('a column with a list of allowed values refuses any other value', async () => {
  const found = await listed();
  expect(found.length).toBeGreaterThan(30);
  expect(await accepting(found, "'perhaps'")).toEqual([]);
});

test('every status column lists its allowed values', async () => {
  const found = (await listed()).filter(([, column]) => column === 'status');
  const all = await platform.rows(`
    select a.attrelid::regclass::text from pg_catalog.pg_attribute a
    join pg_catalog.pg_class c on c.oid = a.attrelid and c.relkind = 'r'
    where c.relnamespace = 'public'::regnamespace and a.attname = 'status'`);
  expect(found.map(([table]) => table).sort()).toEqual(all.flat().sort());
});

test('the comment of a column names each of its allowed values', async () => {
  const silent = (await listed()).flatMap(([table, column, values, comment]) =>
    values.filter((one) => !comment.includes(one)).map((one) => `${table}.${column} ${one}`),
  );
  expect(silent).toEqual([]);
});

test('a number column refuses NaN and infinity', async () => {
  expect(await accepting(await numbers(), "'NaN'")).toEqual([]);
});

test('a number column refuses negative values, except six balances, credits and sums', async () => {
  expect(await accepting(await numbers(), '-1')).toEqual([
    'card.balance',
    'digital_wallet.balance',
    'digital_wallet.usd_value',
    'invoice.total',
    'invoice_line.unit_price',
    'portfolio_snapshot.total_usd',
  ]);
});

test('a currency column refuses a value that is not a currency code', async () => {
  const found = (await platform.rows(`
    select a.attrelid::regclass::text, a.attname from pg_catalog.pg_attribute a
    join pg_catalog.pg_class c on c.oid = a.attrelid and c.relkind = 'r'
    where c.relnamespace = 'public'::regnamespace and a.attname ~ 'currency$'`)) as [
    string,
    string,
  ][];
  expect(await accepting(found, "'usd'")).toEqual([]);
});

test.each([
  ['a file with a negative size', 'uploaded_file', 'size = -1'],
  ['a digest that is no SHA-256', 'uploaded_file', "sha256 = 'abc'"],
  ['a guessable name', 'uploaded_file', "name = 'passport.jpg'"],
  ['a file name that leads to another folder', 'uploaded_file', "name = '../' || name"],
  [
    'a media type followed by another header',
    'uploaded_file',
    "content_type = E'text/html\\nx: y'",
  ],
  ['the full number of a card', 'card', "last_four = '4111111111111111'"],
  ['the full number of an account', 'fiat_withdrawal_request', "account_last_four = 'LU280019'"],
  ['a period that ends before it begins', 'report', "period_to = period_from - interval '1 day'"],
  ['a document that expires before it was issued', 'kyc_document', "issued_on = '2099-01-01'"],
  ['a case that is closed before it is opened', '"case"', "closed_at = '1999-01-01'"],
  [
    'a trade with more executed than requested',
    'trade_request',
    'executed_quantity = quantity + 1',
  ],
  [
    'an exchange rate between a currency and itself',
    'currency_rate',
    'quote_currency = base_currency',
  ],
  ['a notification with a link off the platform', 'notification', "link = '//elsewhere.example'"],
  ['holdings that are no JSON object', 'portfolio_snapshot', "holdings = '[]'"],
  [
    'a snapshot of a person and a fund at once',
    'portfolio_snapshot',
    'fund_id = gen_random_uuid(), user_id = id::text',
  ],
])('the database refuses %s', async (_, table, assignment) => {
  expect(await platform.attempt(`update public.${table} set ${assignment}`)).toBe('23514');
});

test('an uploaded file gets a name that cannot be guessed', async () => {
  const outcome = await platform.attempt(
    `insert into public.uploaded_file (organization_id, user_id, original_name, size, sha256)
     select organization_id, user_id, original_name, size, sha256 from public.uploaded_file limit 1
     returning name ~ '^[0-9a-f]{64}$'`,
  );
  expect(outcome).toEqual([[true]]);
});

test('amount and tax of an invoice line are calculated to the cent', async () => {
  const outcome = await platform.attempt(
    `update public.invoice_line set quantity = 3.5, unit_price = 0.33, tax_rate = 8.1
     where id = '70000000-0000-4000-8000-000000000101'
     returning amount::text, tax_amount::text`,
  );
  expect(outcome).toEqual([['1.16', '0.09']]);
});
