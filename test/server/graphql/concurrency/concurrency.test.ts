import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bank, openBank } from './bank.ts';
import { clerks, letClerksWork, tally } from './clerks.ts';

const each = 25;

let bank: Bank;
beforeAll(async () => {
  bank = await openBank();
});
afterAll(() => bank.close());

test('concurrent upserts with the same key leave one row, and no upsert fails', async () => {
  const outcomes = await letClerksWork(bank.server, each, (send, _clerk, turn) =>
    send(
      `mutation ($hits: Int!) {
        insert_counter_one(
          object: { name: "visits", hits: $hits }
          on_conflict: { constraint: counter_pkey, update_columns: [hits] }
        ) { name hits last_by }
      }`,
      { hits: turn },
    ),
  );
  expect(tally(outcomes)).toEqual({ done: clerks * each });
  expect(outcomes.map(({ data }) => data.insert_counter_one.name)).toEqual(
    Array(clerks * each).fill('visits'),
  );
  expect(await bank.count(`select count(*) from counter where name <> 'sum'`)).toBe(1);
});

test('concurrent increments (_inc) of one row are all added', async () => {
  await letClerksWork(bank.server, 1, (send) =>
    send(`mutation {
      insert_counter(objects: [{ name: "sum" }], on_conflict: { constraint: counter_pkey, update_columns: [] }) {
        affected_rows
      }
    }`),
  );
  const outcomes = await letClerksWork(bank.server, each, (send) =>
    send(`mutation {
      update_counter_by_pk(pk_columns: { name: "sum" }, _inc: { hits: 1 }) { hits }
    }`),
  );
  expect(tally(outcomes)).toEqual({ done: clerks * each });
  const seen = outcomes.map(({ data }) => data.update_counter_by_pk.hits);
  expect(new Set(seen).size).toBe(clerks * each);
  expect(await bank.count(`select hits from counter where name = 'sum'`)).toBe(clerks * each);
});

test('concurrent transfers in both directions keep the sum of all balances, and an overdraft is rolled back completely', async () => {
  const outcomes = await letClerksWork(bank.server, each, (send, clerk, turn) => {
    const from = 1 + ((clerk + turn) % 4);
    const to = 1 + ((from + clerk) % 4);
    return send(
      `mutation ($from: Int!, $to: Int!, $less: Int!, $more: Int!) {
        credited: update_account_by_pk(pk_columns: { id: $to }, _inc: { balance: $more }) { id }
        debited: update_account_by_pk(pk_columns: { id: $from }, _inc: { balance: $less }) { id }
      }`,
      { from, to, less: -30, more: 30 },
    );
  });
  const { done = 0, 'constraint-violation': overdrafts = 0, ...others } = tally(outcomes);
  expect(others).toEqual({});
  expect(done + overdrafts).toBe(clerks * each);
  expect(done).toBeGreaterThan(0);
  expect(await bank.count('select sum(balance) from account')).toBe(400);
  expect(await bank.count('select min(balance) from account')).toBeGreaterThanOrEqual(0);
});

test('concurrent transfers by update_many, with several rows in one field, keep the sum of all balances', async () => {
  const outcomes = await letClerksWork(bank.server, each, (send, clerk, turn) => {
    const from = 1 + ((clerk + turn) % 4);
    const to = 1 + (from % 4);
    return send(
      `mutation ($updates: [account_updates!]!) { update_account_many(updates: $updates) { affected_rows } }`,
      {
        updates: [
          { where: { id: { _eq: from } }, _inc: { balance: -7 } },
          { where: { id: { _eq: to } }, _inc: { balance: 7 } },
        ],
      },
    );
  });
  const { done = 0, 'constraint-violation': overdrafts = 0, ...others } = tally(outcomes);
  expect(others).toEqual({});
  expect(done + overdrafts).toBe(clerks * each);
  expect(await bank.count('select sum(balance) from account')).toBe(400);
});

test('of two concurrent nested inserts for the same slots, one is committed with all nested rows and the other not at all', async () => {
  const outcomes = await letClerksWork(bank.server, each, (send, clerk, turn) =>
    send(
      `mutation ($booking: booking_insert_input!) {
        insert_booking_one(object: $booking) { id entries { slot } }
      }`,
      {
        booking: {
          id: clerk * each + turn,
          // Two clients compete for the same three slots, so exactly one client must fail.
          entries: {
            data: [0, 1, 2].map((place) => ({ slot: (clerk >> 1) * 1000 + turn * 3 + place })),
          },
        },
      },
    ),
  );
  const half = (clerks * each) / 2;
  expect(tally(outcomes)).toEqual({ done: half, 'constraint-violation': half });
  expect(await bank.count('select count(*) from booking')).toBe(half);
  expect(await bank.count('select count(*) from entry')).toBe(half * 3);
  expect(
    await bank.count(
      'select count(*) from booking b where 3 <> (select count(*) from entry e where e.booking_id = b.id)',
    ),
  ).toBe(0);
});
