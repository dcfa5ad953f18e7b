import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let owner: pg.Client;

beforeAll(async () => {
  database = await createDatabase({ from: 'platform' });
  owner = await database.connectOwner();
});
afterAll(() => database.drop());

async function rows(text: string): Promise<readonly unknown[][]> {
  const result = await owner.query<unknown[]>({ text, rowMode: 'array' });
  return result.rows;
}

async function undone(work: () => Promise<void>): Promise<void> {
  await owner.query('begin');
  await work().finally(() => owner.query('rollback'));
}

const organization = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;

test('every table and column of the platform has a comment in the database', async () => {
  const undescribed = await rows(`
    select c.relname, a.attname
    from pg_catalog.pg_class c
    join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum >= 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and (pg_catalog.col_description(c.oid, a.attnum) is null
        or pg_catalog.obj_description(c.oid, 'pg_class') is null)`);
  expect(undescribed).toEqual([]);
});

test('every foreign key of the platform has an index that begins with its columns', async () => {
  const unindexed = await rows(`
    select f.conrelid::regclass::text, f.conname
    from pg_catalog.pg_constraint f
    where f.contype = 'f' and f.connamespace = 'public'::regnamespace
      and not exists (
        select from pg_catalog.pg_index i
        where i.indrelid = f.conrelid
          and (i.indkey::int2[])[0:cardinality(f.conkey) - 1] = f.conkey)`);
  expect(unindexed).toEqual([]);
});

test('every unique index of a tenant table begins with the tenant, so that it reveals no values of other tenants', async () => {
  const revealing = await rows(`
    select i.indexrelid::regclass::text
    from pg_catalog.pg_index i
    join pg_catalog.pg_attribute a on a.attrelid = i.indrelid and a.attname = 'organization_id'
    where i.indisunique and not i.indisprimary and i.indkey[0] <> a.attnum
      and i.indexrelid <> 'public.uploaded_file_name_key'::regclass -- random, so it reveals nothing
      and i.indexrelid <> 'public.invoice_invoice_number_key'::regclass -- the only role that writes it sees all rows
      and a.attrelid in (select c.oid from pg_catalog.pg_class c where c.relnamespace = 'public'::regnamespace)`);
  expect(revealing).toEqual([]);
});

const tenantTables = ['address_book_entry', 'digital_wallet', 'fund', 'invoice', 'otc_quote'];

test.each(tenantTables)(
  "an insert into %s without values gets the caller's organization and the status draft",
  async (table) => {
    await undone(async () => {
      await owner.query(
        `insert into rowgate.login_variable values (session_user::regrole, 'organization_id', $1)`,
        [organization(2)],
      );
      const inserted = await owner.query(
        `insert into public.${table} default values returning organization_id, status, created_at = updated_at as fresh`,
      );
      expect(inserted.rows).toEqual([
        { organization_id: organization(2), status: 'draft', fresh: true },
      ]);
    });
  },
);

test.each(tenantTables)('an insert into %s without an organization is refused', async (table) => {
  await expect(owner.query(`insert into public.${table} default values`)).rejects.toMatchObject({
    code: '23502',
    column: 'organization_id',
  });
});

test('a new subscription without a user gets the user of the session variable', async () => {
  await undone(async () => {
    await owner.query(
      `insert into rowgate.login_variable values (session_user::regrole, 'user_id', 'local|birch-investor')`,
    );
    const inserted = await owner.query(
      `insert into public.fund_subscription (fund_id) values ('40000000-0000-4000-8000-000000000001') returning user_id`,
    );
    expect(inserted.rows).toEqual([{ user_id: 'local|birch-investor' }]);
  });
});

test('a new person needs only an e-mail address and an organization', async () => {
  await undone(async () => {
    const inserted = await owner.query(
      `insert into public."user" (email, organization_id) values ('new@alder.example', $1) returning id`,
      [organization(1)],
    );
    expect(inserted.rows).toEqual([{ id: expect.stringMatching(/^local\|[0-9a-f-]{36}$/) }]);
  });
});

test('an e-mail address is unique within an organization in any case, and free in another organization', async () => {
  const insert = `insert into public."user" (email, organization_id) values ('ADMIN@alder.example', $1)`;
  await undone(async () => {
    await owner.query(insert, [organization(2)]);
    await expect(owner.query(insert, [organization(1)])).rejects.toMatchObject({ code: '23505' });
  });
});

test.each([...tenantTables, 'fund_subscription', 'organization'])(
  '%s refuses a status that is not listed',
  async (table) => {
    const update = `update public.${table} set status = 'perhaps'`;
    await expect(owner.query(update)).rejects.toMatchObject({ code: '23514' });
  },
);

test.each([...tenantTables, 'fund_subscription', 'organization', '"user"'])(
  'every update of %s sets updated_at',
  async (table) => {
    await undone(async () => {
      const changed = await owner.query(
        `update public.${table} set created_at = created_at returning updated_at = now() as is_now`,
      );
      expect(new Set(changed.rows.map((row) => row.is_now))).toEqual(new Set([true]));
    });
  },
);

test('a balance keeps 18 decimal places', async () => {
  expect(
    await rows(`select balance::text from public.digital_wallet where label = 'Cleo personal'`),
  ).toEqual([['0.000000000000000001']]);
});

test('every organization has draft, active and locked demo wallets and addresses', async () => {
  for (const table of ['digital_wallet', 'address_book_entry']) {
    const seeded = await rows(`
      select organization_id, array_agg(distinct status order by status)
      from public.${table} where status <> 'archived' group by 1 order by 1`);
    const states = ['active', 'draft', 'locked'];
    expect(seeded).toEqual([1, 2, 3, 4].map((n) => [organization(n), states]));
  }
});

test('every investor has demo subscriptions to funds with and without access', async () => {
  const seeded = await rows(`
    select r.user_id, count(a.fund_id) > 0, count(s.fund_id) > count(a.fund_id)
    from public.user_role r
    left join public.fund_subscription s on s.user_id = r.user_id
    left join public.fund_access a on a.user_id = s.user_id and a.fund_id = s.fund_id
    where r.role = 'investor' group by 1 order by 1`);
  expect(seeded).toEqual(
    ['alder', 'birch', 'cedar', 'dogwood'].map((name) => [`local|${name}-investor`, true, true]),
  );
});
