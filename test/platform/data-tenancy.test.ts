import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPlatform, type PlatformOwner } from './platform-owner.ts';

let platform: PlatformOwner;

beforeAll(async () => {
  platform = await openPlatform();
});
afterAll(() => platform.close());

/** Returns the foreign keys that contain the tenant: referring table, its second column, referenced table. */
async function tenantKeys(): Promise<[string, string, string][]> {
  return (await platform.rows(`
    select f.conrelid::regclass::text, a.attname, f.confrelid::regclass::text
    from pg_catalog.pg_constraint f
    join pg_catalog.pg_attribute o on o.attrelid = f.conrelid and o.attnum = f.conkey[1]
    join pg_catalog.pg_attribute a on a.attrelid = f.conrelid and a.attnum = f.conkey[2]
    where f.contype = 'f' and f.connamespace = 'public'::regnamespace
      and cardinality(f.conkey) = 2 and o.attname = 'organization_id'`)) as [
    string,
    string,
    string,
  ][];
}

test('a foreign key refuses a reference to a row of another organization', async () => {
  const keys = await tenantKeys();
  expect(keys.length).toBeGreaterThan(25);
  const outcomes: [string, unknown][] = [];
  for (const [child, column, parent] of keys) {
    const outcome = await platform.attempt(`
      with pair as (
        select c.id as child_id, p.id as parent_id from ${child} c
        join ${parent} p on p.organization_id <> c.organization_id
        where c.${column} is not null
        order by c.id, p.id limit 1)
      update ${child} set ${column} = pair.parent_id from pair where id = pair.child_id returning id`);
    outcomes.push([`${child}.${column}`, outcome]);
  }
  expect(outcomes.filter(([, outcome]) => outcome !== '23503')).toEqual([]);
});

test('a foreign key refuses to move a row to another organization than the row that it refers to', async () => {
  const elsewhere = '00000000-0000-4000-8000-000000000009';
  const outcomes: [string, unknown][] = [];
  for (const [child, column] of await tenantKeys()) {
    const outcome = await platform.attempt(
      `insert into public.organization (id) values ('${elsewhere}')`,
      `update ${child} set organization_id = '${elsewhere}'
       where id = (select c.id from ${child} c where c.${column} is not null order by c.id limit 1)`,
    );
    outcomes.push([`${child}.${column}`, outcome]);
  }
  expect(outcomes.filter(([, outcome]) => outcome !== '23503')).toEqual([]);
});

test('a row can refer to a row of the same organization', async () => {
  const outcome = await platform.attempt(`
    insert into public.invoice_payment (organization_id, invoice_id, amount)
    select organization_id, id, 1 from public.invoice returning status`);
  expect(new Set((outcome as unknown[][]).flat())).toEqual(new Set(['pending']));
});

test('an organization cannot use a receipt number twice', async () => {
  const again = `update public.receipt set receipt_number = 'REC-2025-000401'
    where organization_id = '00000000-0000-4000-8000-000000000004'`;
  expect(await platform.attempt(again)).toBe('23505');
});

test('an organization can have, for each day, one snapshot of itself and one of each wallet', async () => {
  const again = (wallet: string) =>
    platform.attempt(`
      insert into public.portfolio_snapshot (organization_id, digital_wallet_id, taken_on, total_usd)
      select organization_id, ${wallet}, date '2025-06-01', 1 from public.digital_wallet
      where id = '10000000-0000-4000-8000-000000000104' returning total_usd::text`);
  expect(await again('null')).toBe('23505');
  expect(await again('id')).toEqual([['1.00']]);
});

test('deleting an invoice deletes its lines', async () => {
  const draft = '30000000-0000-4000-8000-000000000103';
  const outcome = await platform.attempt(
    `delete from public.invoice where id = '${draft}'`,
    `select id from public.invoice_line where invoice_id = '${draft}'`,
  );
  expect(outcome).toEqual([]);
});

test.each([
  ['an invoice that was paid for', 'invoice', "status = 'paid'"],
  ['a trade that was settled', 'trade_request', "status = 'settled'"],
  ['a wallet that has a history', 'digital_wallet', "label = 'Birch vault'"],
  ['a card that was used', 'card', "label = 'Travel'"],
  ['a person whose identity was verified', '"user"', "id = 'local|alder-investor'"],
  ['a file that belongs to a case', 'uploaded_file', "original_name = 'complaint.pdf'"],
  ['a product that was billed', 'product', "code = 'CUSTODY-M'"],
])('%s cannot be deleted, because other rows refer to it', async (_, table, condition) => {
  expect(await platform.attempt(`delete from public.${table} where ${condition}`)).toBe('23503');
});

test('deleting a person deletes messages to the person and keeps rows that the person entered', async () => {
  const person = 'local|alder-trader';
  const outcome = await platform.attempt(
    `insert into public.notification (organization_id, user_id, title)
     select organization_id, id, 'Welcome' from public."user" where id = '${person}'`,
    `update public.trade_request set status_reason = 'by the trader' where created_by = '${person}'`,
    `delete from public."user" where id = '${person}'`,
    `select (select count(*)::int from public.notification where user_id = '${person}'),
       count(*) > 0, count(created_by)::int
     from public.trade_request where status_reason = 'by the trader'`,
  );
  expect(outcome).toEqual([[0, true, 0]]);
});
