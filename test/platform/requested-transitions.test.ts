import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../support/database.ts';

const alder = '00000000-0000-4000-8000-000000000001';
let database: TestDatabase;
let owner: pg.Client;
beforeAll(async () => {
  database = await createDatabase({ from: 'platform' });
  owner = await database.connectOwner();
});
afterAll(() => database.drop());

async function trade(status: string): Promise<string> {
  const { rows } = await owner.query(
    'insert into public.trade_request (organization_id, quantity, status) values ($1, 1, $2) returning id',
    [alder, status],
  );
  return rows[0].id;
}

async function tryMove(
  id: string,
  to: string,
  reason: string | null = null,
  table = 'trade_request',
) {
  const { rows } = await owner.query(
    'select rowgate_webhooks.try_move($1, $2, $3, $4, $5) as became',
    [table, id, to, 'event-1', reason],
  );
  return rows[0].became;
}

test('a webhook that requests an allowed change of status makes the change and stores its reason', async () => {
  const id = await trade('submitted');
  expect(await tryMove(id, 'rejected', 'Too large')).toBe('moved');
  const { rows } = await owner.query(
    'select status, status_reason from public.trade_request where id = $1',
    [id],
  );
  expect(rows).toEqual([{ status: 'rejected', status_reason: 'Too large' }]);
});

test('a webhook that requests the current status changes nothing', async () => {
  const id = await trade('submitted');
  expect(await tryMove(id, 'submitted', 'Again')).toBe('same');
  const { rows } = await owner.query(
    'select status_reason from public.trade_request where id = $1',
    [id],
  );
  expect(rows).toEqual([{ status_reason: null }]);
});

test.each(['settled', 'approved', 'no-status'])(
  'a webhook that requests a change from draft to %s is refused, and the refusal is recorded',
  async (to) => {
    const id = await trade('draft');
    expect(await tryMove(id, to, 'Said so')).toBe('refused');
    const { rows } = await owner.query(
      `select event_id, table_name, from_status, to_status, reason from rowgate_webhooks.refused_move
     where row_id = $1`,
      [id],
    );
    expect(rows).toEqual([
      {
        event_id: 'event-1',
        table_name: 'trade_request',
        from_status: 'draft',
        to_status: to,
        reason: 'Said so',
      },
    ]);
  },
);

test('a request to change the status of a deleted row returns missing', async () => {
  expect(await tryMove('00000000-0000-4000-8000-0000000000ff', 'approved')).toBe('missing');
});

test.each(['user', 'product', 'trade_request; drop table public.report', 'pg_class'])(
  'a request to change a status fails for the table %s, because it has no allowed changes of status',
  async (table) => {
    const id = '00000000-0000-4000-8000-0000000000ff';
    await expect(tryMove(id, 'active', null, table)).rejects.toThrow('have no moves');
  },
);

test('of two concurrent requests for the same change, the first makes it and the second changes nothing', async () => {
  const id = await trade('submitted');
  const other = await database.connectOwner();
  await owner.query('begin');
  await tryMove(id, 'approved');
  const late = other.query(
    `select rowgate_webhooks.try_move('trade_request', $1, 'approved', 'late', null) as became`,
    [id],
  );
  await owner.query('commit');
  expect((await late).rows).toEqual([{ became: 'same' }]);
});

test('records of changes and refusals are deleted after 90 days', async () => {
  await owner.query(
    `insert into rowgate_webhooks.done (event_id, effect, done_at)
     values ('old', 'e', now() - interval '91 days'), ('young', 'e', now() - interval '89 days')`,
  );
  await owner.query(
    `insert into rowgate_webhooks.refused_move (table_name, row_id, from_status, to_status, refused_at)
     select 'case', gen_random_uuid(), 'a', age, now() - age::interval from (values ('91 days'), ('89 days')) a(age)`,
  );
  const { rows } = await owner.query(
    'select rowgate_webhooks.clean_effects()::integer as forgotten',
  );
  expect(rows).toEqual([{ forgotten: 2 }]);
  const left = await owner.query(
    `select event_id as left from rowgate_webhooks.done where effect = 'e'
     union all select to_status from rowgate_webhooks.refused_move where table_name = 'case'`,
  );
  expect(left.rows).toEqual([{ left: 'young' }, { left: '89 days' }]);
});

test('after the migrations, exactly the confirmed transactions are marked as counted in the balances', async () => {
  const { rowCount } = await owner.query(
    `select from public.asset_transaction where (status = 'confirmed') <> (counted_at is not null)`,
  );
  expect(rowCount).toBe(0);
});

test('mail about invoices goes only to active administrators of the organization, or to its contact address', async () => {
  await owner.query(`update public."user" set status = 'disabled' where id = 'local|alder-admin'`);
  const contacts = async () =>
    (await owner.query('select email from rowgate_webhooks.organization_contacts($1)', [alder]))
      .rows;
  expect(await contacts()).toEqual([{ email: 'finance@alder.example' }]);
  await owner.query(`update public."user" set status = 'active' where id = 'local|alder-admin'`);
  expect(await contacts()).toEqual([{ email: 'admin@alder.example' }]);
});

test('a disabled person gets no notification, neither directly nor by a role', async () => {
  await owner.query(
    `select rowgate_webhooks.notify('local|dogwood-former', 'system', 'Hidden', '', null),
       rowgate_webhooks.notify_role(null, 'compliance', 'system', 'Hidden', '', null)`,
  );
  const { rows } = await owner.query(
    `select user_id from public.notification where title = 'Hidden'`,
  );
  expect(rows.map(({ user_id }) => user_id).sort()).toEqual([
    'local|alder-compliance',
    'local|cedar-auditor',
  ]);
});
