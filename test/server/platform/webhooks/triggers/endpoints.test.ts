import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Payload, payloadOf } from './support/payload.ts';
import { openTriggerWorld, secrets, type TriggerWorld } from './support/trigger-world.ts';

let world: TriggerWorld;
beforeAll(async () => {
  world = await openTriggerWorld();
});
afterAll(() => world.close());

const id = '00000000-0000-4000-8000-0000000000ff';
const row = { id, email: 'nobody@elm.example', status: 'draft' };
const endpoints = [
  ['on-user-insert', 'user', 'INSERT'],
  ['on-user-delete', 'user', 'DELETE'],
  ['on-kyc-profile-update', 'kyc_profile', 'UPDATE'],
  ['on-trade-request-update', 'trade_request', 'UPDATE'],
  ['on-trade-settlement-update', 'trade_settlement', 'UPDATE'],
  ['on-digital-wallet-update', 'digital_wallet', 'UPDATE'],
  ['on-asset-transaction-insert', 'asset_transaction', 'INSERT'],
  ['on-invoice-payment-insert', 'invoice_payment', 'INSERT'],
  ['on-fiat-deposit-request-update', 'fiat_deposit_request', 'UPDATE'],
  ['on-fiat-withdrawal-request-update', 'fiat_withdrawal_request', 'UPDATE'],
] as const;

function event(table: string, op: string): Payload {
  return payloadOf(table, op, op === 'INSERT' ? null : row, op === 'DELETE' ? null : row);
}

describe.each(endpoints)('the endpoint for the event trigger %s', (name, table, op) => {
  test('accepts an event about a row that no longer exists, and answers its repeat as a duplicate', async () => {
    const body = event(table, op);
    const first = await world.post(name, body);
    expect([first.status, first.body.duplicate]).toEqual([200, false]);
    expect(await world.post(name, body)).toEqual({ status: 200, body: { duplicate: true } });
  });

  test('accepts the platform token that is being replaced', async () => {
    expect((await world.post(name, event(table, op), secrets[1])).status).toBe(200);
  });

  test.each([
    ['no token', null],
    ['an empty token', ''],
    ['a wrong token', 'x'.repeat(32)],
    ['the beginning of the token', secrets[0].slice(0, 31)],
    ['both tokens', secrets.join(',')],
  ])('refuses a request with %s, before it reads the body', async (_title, token) => {
    for (const body of [event(table, op), '{']) {
      const answer = await world.post(name, body, token);
      expect([answer.status, answer.body.code]).toEqual([401, 'unauthenticated']);
    }
  });

  test('refuses an event of another table', async () => {
    const answer = await world.post(name, event('organization', op));
    expect(answer.status).toBe(400);
    expect(answer.body.detail).toBe(`body.table.name must be ${table}`);
  });

  test('refuses an event of a table of the same name in another schema', async () => {
    const body = { ...event(table, op), table: { schema: 'private', name: table } };
    expect((await world.post(name, body)).status).toBe(400);
  });

  test('refuses an event of another operation (insert, update, delete)', async () => {
    const other = { INSERT: 'DELETE', DELETE: 'INSERT', UPDATE: 'DELETE' }[op];
    const body = { ...event(table, op), event: { op: other, data: { old: row, new: row } } };
    expect((await world.post(name, body)).status).toBe(400);
  });

  test.each([
    ['text that is not JSON', '{'],
    ['JSON that is not an object', '[]'],
    ['an empty object', '{}'],
    ['an event without rows', { event: { op, data: { old: null, new: null } } }],
    [
      'a row without an id',
      { event: { op, data: { old: { status: 'draft' }, new: { status: 'draft' } } } },
    ],
    ['an event without an id', { id: '' }],
    ['an id that is not a text', { id: 7 }],
  ])('refuses a body with %s', async (_title, change) => {
    const body = typeof change === 'string' ? change : { ...event(table, op), ...change };
    const answer = await world.post(name, body);
    expect([answer.status, answer.body.code]).toEqual([400, 'bad-request']);
  });
});

test.each([
  ['on-trade-request-update', 'trade_request'],
  ['on-fiat-deposit-request-update', 'fiat_deposit_request'],
  ['on-fiat-withdrawal-request-update', 'fiat_withdrawal_request'],
])(
  'the endpoint for %s accepts an insert event, and refuses one that has an old row',
  async (name, table) => {
    expect((await world.post(name, event(table, 'INSERT'))).status).toBe(200);
    const odd = { op: 'INSERT', data: { old: { id: 7 }, new: row } };
    expect((await world.post(name, { ...event(table, 'INSERT'), event: odd })).status).toBe(400);
  },
);

test.each(['on-kyc-profile-update', 'on-trade-settlement-update', 'on-digital-wallet-update'])(
  'the endpoint for %s refuses insert events',
  async (name) => {
    const table = name.slice('on-'.length, -'-update'.length).replaceAll('-', '_');
    const body = {
      ...event(table, 'UPDATE'),
      event: { op: 'INSERT', data: { old: row, new: row } },
    };
    expect((await world.post(name, body)).status).toBe(400);
  },
);

test.each([
  ['trade_request', { quantity: 1, status: 'settled' }],
  ['fiat_deposit_request', { amount: 5, status: 'completed' }],
  ['fiat_withdrawal_request', { amount: 5, status: 'completed' }],
])('a row of %s that is inserted in a final status has no effect', async (table, values) => {
  const { organization, person } = await world.client();
  const { id: walletId } = await world.wallet(organization, { coin: 'USDC', balance: 10 });
  const entered = await world.insert(table, {
    organization_id: organization,
    user_id: person,
    digital_wallet_id: walletId,
    ...values,
  });
  const name = `on-${table.replaceAll('_', '-')}-update`;
  const payload = payloadOf(table, 'INSERT', null, { id: entered.id, status: values.status });
  expect((await world.post(name, payload)).body).toEqual({
    duplicate: false,
    outcome: values.status,
  });
  expect(await world.notifications(person)).toEqual([]);
  expect(
    await world.rows('select from public.asset_transaction where digital_wallet_id = $1', [
      walletId,
    ]),
  ).toEqual([]);
});

test('an event whose row has an id that is not a UUID is refused without a query to the database', async () => {
  const body = payloadOf('trade_request', 'UPDATE', { ...row, id: "'" }, { ...row, id: "'" });
  expect((await world.post('on-trade-request-update', body)).status).toBe(400);
});

test("an event with the id of another endpoint's event still has its own effect", async () => {
  const insert = { ...event('user', 'INSERT'), id: 'shared' };
  const removal = { ...event('user', 'DELETE'), id: 'shared' };
  expect((await world.post('on-user-insert', insert)).body.duplicate).toBe(false);
  expect((await world.post('on-user-delete', removal)).body.duplicate).toBe(false);
});

test('twenty deliveries of one event at the same time have one effect', async () => {
  const body = event('trade_request', 'UPDATE');
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => world.post('on-trade-request-update', body)),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(answers.filter(({ body: answer }) => !answer.duplicate)).toHaveLength(1);
});

test('an effect that fails is rolled back, and the next delivery of the event succeeds', async () => {
  const { person } = await world.client();
  const { row: there } = await world.row(
    'select to_jsonb(u) as row from public."user" u where id = $1',
    [person],
  );
  const body = payloadOf('user', 'INSERT', null, there);
  await world.owner.query('alter table rowgate_mail.outbox rename to elsewhere');
  const answer = await world.post('on-user-insert', body);
  await world.owner.query('alter table rowgate_mail.elsewhere rename to outbox');
  expect([answer.status, answer.body.code]).toEqual([503, 'unavailable']);
  const wallets = 'select from public.digital_wallet where user_id = $1';
  expect(await world.rows(wallets, [person])).toEqual([]);
  expect((await world.post('on-user-insert', body)).body.duplicate).toBe(false);
  expect(await world.rows(wallets, [person])).toHaveLength(3);
});

test("the login that runs the effects of events may not access the platform's tables directly", async () => {
  const rights = await world.rows(
    `select c.relname, p.privilege from pg_class c
     cross join (values ('select'), ('insert'), ('update'), ('delete')) p(privilege)
     join pg_roles r on r.rolname = 'rowgate_' || current_database() || '_sidecar_login'
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
       and has_table_privilege(r.oid, c.oid, p.privilege) is distinct from false`,
  );
  const logins = await world.rows(
    `select from pg_roles where rolname = 'rowgate_' || current_database() || '_sidecar_login'`,
  );
  expect([rights, logins.length]).toEqual([[], 1]);
});

test('no other role may call the database functions that implement the effects of events', async () => {
  expect(
    await world.rows(
      `select p.proname from pg_proc p
       where p.pronamespace = 'rowgate_webhooks'::regnamespace and (
         p.proacl is null or exists (select from aclexplode(p.proacl) a where a.grantee = 0)
         or (p.prosecdef and not coalesce(p.proconfig @> array['search_path=pg_catalog, pg_temp'], false)))`,
    ),
  ).toEqual([]);
});
