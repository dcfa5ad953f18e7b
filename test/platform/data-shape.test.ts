import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPlatform, type PlatformOwner } from './platform-owner.ts';

let platform: PlatformOwner;

beforeAll(async () => {
  platform = await openPlatform();
});
afterAll(() => platform.close());

const tables = `
  select c.oid, c.relname from pg_catalog.pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`;
const columns = `
  select t.oid, t.relname, a.attname, a.attnum, a.attnotnull, a.atttypid::regtype::text as type,
    pg_catalog.format_type(a.atttypid, a.atttypmod) as full_type,
    pg_catalog.pg_get_expr(d.adbin, d.adrelid) as fallback
  from (${tables}) t
  join pg_catalog.pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
  left join pg_catalog.pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum`;

test('every table has a tenant column, except seven tables that are shared or belong to people or funds', async () => {
  const untenanted = await platform.rows(`
    select t.relname from (${tables}) t
    where t.oid not in (select c.oid from (${columns}) c where c.attname = 'organization_id')
    order by 1`);
  expect(untenanted.flat()).toEqual([
    'coin_price',
    'currency_rate',
    'fund_access',
    'fund_subscription',
    'organization',
    'product',
    'user_role',
  ]);
});

test('a new row without a tenant gets the organization of the session variable', async () => {
  const found = await platform.rows(`
    select distinct c.type, c.attnotnull, c.fallback from (${columns}) c
    where c.attname = 'organization_id'`);
  expect(found).toEqual([
    ['uuid', true, "(rowgate_api.session_variable('organization_id'::text))::uuid"],
  ]);
});

test('every table with a tenant column has a random uuid as key, except people, whose key is the sign-in id', async () => {
  const others = await platform.rows(`
    select c.relname, c.attname, c.type from (${columns}) c
    join pg_catalog.pg_constraint k
      on k.conrelid = c.oid and k.contype = 'p' and c.attnum = any (k.conkey)
    where c.oid in (select o.oid from (${columns}) o where o.attname = 'organization_id')
      and (c.attname, c.type, c.fallback) is distinct from ('id', 'uuid', 'gen_random_uuid()')`);
  expect(others).toEqual([['user', 'id', 'text']]);
});

test('foreign keys between tenant tables contain the tenant, except those that record the author of an action', async () => {
  const loose = await platform.rows(`
    select f.conname from pg_catalog.pg_constraint f
    join (${columns}) c on c.oid = f.conrelid and c.attname = 'organization_id'
    join (${columns}) p on p.oid = f.confrelid and p.attname = 'organization_id'
    where f.contype = 'f'
      and not (f.confdeltype = 'n' and f.confrelid = 'public.user'::regclass)
      and not (f.conkey[1] = c.attnum and f.confkey[1] = p.attnum)`);
  expect(loose).toEqual([]);
});

test('every column by which rules find rows is the first of an index', async () => {
  const slow = await platform.rows(`
    select c.relname, c.attname from (${columns}) c
    where c.attname in ('organization_id', 'user_id', 'fund_id', 'digital_wallet_id', 'card_id',
        'kyc_profile_id', 'case_id', 'trade_request_id', 'invoice_id')
      and not exists (
        select from pg_catalog.pg_index i where i.indrelid = c.oid and i.indkey[0] = c.attnum)`);
  expect(slow).toEqual([]);
});

test('no index repeats another index', async () => {
  const needless = await platform.rows(`
    select i.indexrelid::regclass::text from pg_catalog.pg_index i
    join pg_catalog.pg_index o on o.indrelid = i.indrelid and o.indexrelid <> i.indexrelid
    where i.indrelid in (select t.oid from (${tables}) t) and not i.indisunique
      and i.indexprs is null and i.indpred is null and o.indpred is null
      and (o.indkey::int2[])[0:i.indnkeyatts - 1] = (i.indkey::int2[])[0:i.indnkeyatts - 1]`);
  expect(needless).toEqual([]);
});

test('amounts are exact decimals with a scale, and times have a time zone', async () => {
  const inexact = await platform.rows(`
    select c.relname, c.attname, c.full_type from (${columns}) c
    where c.type in ('real', 'double precision', 'money', 'timestamp without time zone')
      or c.full_type = 'numeric'`);
  expect(inexact).toEqual([]);
});

test('every table with an amount of money has a currency column, except invoice lines', async () => {
  const without = await platform.rows(`
    select distinct c.relname from (${columns}) c
    where c.full_type = 'numeric(20,2)' and c.attname !~ 'usd'
      and c.oid not in (select o.oid from (${columns}) o where o.attname = 'currency')
      and c.relname <> 'digital_wallet'`);
  expect(without).toEqual([['invoice_line']]);
});

test('only invoice.cost_breakdown and portfolio_snapshot.holdings are json columns', async () => {
  const open = await platform.rows(`
    select c.relname, c.attname from (${columns}) c where c.type in ('json', 'jsonb') order by 1`);
  expect(open).toEqual([
    ['invoice', 'cost_breakdown'],
    ['portfolio_snapshot', 'holdings'],
  ]);
});

test('every table with updated_at has the trigger that sets it', async () => {
  const untouched = await platform.rows(`
    select c.relname from (${columns}) c
    where c.attname = 'updated_at' and not exists (
      select from pg_catalog.pg_trigger g
      where g.tgrelid = c.oid and g.tgfoid = 'public.touch_updated_at'::regproc)`);
  expect(untouched).toEqual([]);
});
