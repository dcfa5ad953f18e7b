import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type CallbackRow, CallbackWorld, type Sender } from './support/callback-world.ts';
import { cardPayload, custodyPayload, kycPayload } from './support/payloads.ts';

let world: CallbackWorld;
beforeAll(async () => {
  world = await CallbackWorld.make();
});
afterAll(() => world.end());

let count = 0;
beforeEach(async () => {
  count += 1;
  await world.rows('delete from rowgate_webhooks.told_balance');
  await world.rows('delete from rowgate_webhooks.inbox');
  await world.rows('delete from rowgate_webhooks.last_heard');
});

interface Receipt {
  readonly id: string;
  readonly duplicate: boolean;
}

async function receive(sender: Sender, payload: unknown): Promise<Receipt> {
  const response = await world.post(sender, payload);
  expect(response.status).toBe(202);
  return (await response.json()) as Receipt;
}

/**
 * Sends a payload and processes the stored callback. Returns whether it was a duplicate of an
 * earlier one.
 */
async function take(sender: Sender, payload: unknown): Promise<boolean> {
  const { id, duplicate } = await receive(sender, payload);
  await world.process(id);
  return duplicate;
}

const walletBalance = () =>
  world.value(
    `select trim_scale(balance)::text from public.digital_wallet where custody_wallet_id = 'cw-dogwood-1'`,
  );

describe("a callback with a wallet's balance", () => {
  const balancePayload = (balance: unknown, more: Readonly<Record<string, unknown>> = {}) =>
    custodyPayload({ type: 'balance', state: '', hash: '', transfer: '', balance, ...more });
  const lastFirst = (receipts: readonly Receipt[]) => [
    ...receipts.slice(-1),
    ...receipts.slice(0, -1),
  ];
  const at = (second: number) => ({ timestamp: `2026-05-10T12:00:0${second}Z` });

  test('takes effect when its balance differs from the one reported last', async () => {
    const duplicates = [
      await take('custody', balancePayload(411000)),
      await take('custody', balancePayload(420000)),
      await take('custody', balancePayload(411000)),
    ];
    expect(duplicates).toEqual([false, false, false]);
    expect(await walletBalance()).toBe('411000');
  });

  test('takes effect also when workers process the newest callback first', async () => {
    const receipts = [
      await receive('custody', balancePayload(411000)),
      await receive('custody', balancePayload(420000)),
      await receive('custody', balancePayload(411000)),
    ];
    expect(new Set(receipts.map(({ id }) => id)).size).toBe(3);
    for (const { id } of lastFirst(receipts)) await world.process(id);
    expect(await walletBalance()).toBe('411000');
  });

  test("takes effect also when the provider's clock gives several callbacks the same second", async () => {
    const receipts = [
      await receive('custody', balancePayload(411000, at(0))),
      await receive('custody', balancePayload(420000, at(0))),
      await receive('custody', balancePayload(411000, at(0))),
    ];
    for (const { id } of lastFirst(receipts)) await world.process(id);
    expect(await walletBalance()).toBe('411000');
  });

  test('is a duplicate when it repeats the balance reported last, however the number is written', async () => {
    const first = await receive('custody', balancePayload(411000));
    const again = await receive('custody', JSON.stringify(balancePayload('411000.0'), null, 2));
    expect(again).toEqual({ id: first.id, duplicate: true });
  });

  test('that arrives twenty times at the same time is stored once', async () => {
    const receipts = await Promise.all(
      Array.from({ length: 20 }, () => receive('custody', balancePayload(411000))),
    );
    expect(receipts.filter(({ duplicate }) => !duplicate)).toHaveLength(1);
    expect(new Set(receipts.map(({ id }) => id)).size).toBe(1);
  });

  test('takes effect last when it was stored last of many that arrive at the same time', async () => {
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => receive('custody', balancePayload(411000 + (n % 2)))),
    );
    const rows = await world.rows<CallbackRow & { readonly balance: string }>(
      `select id, payload ->> 'balance' as balance from rowgate_webhooks.inbox order by arrival`,
    );
    await Promise.all(rows.map(({ id }) => world.process(id)));
    expect(await walletBalance()).toBe(rows.at(-1)?.balance);
  });

  test('is a duplicate without an effect when it is sent again after a newer one', async () => {
    const first = await receive('custody', balancePayload(411000, at(1)));
    await world.process(first.id);
    await take('custody', balancePayload(420000, at(2)));
    expect(await receive('custody', balancePayload(411000, at(1)))).toEqual({
      id: first.id,
      duplicate: true,
    });
    expect(await walletBalance()).toBe('420000');
  });

  test("is a duplicate when it is sent again after a newer one, also when the provider's clock is ahead", async () => {
    const ahead = (minutes: number) => ({
      timestamp: new Date(Date.now() + minutes * 60_000).toISOString(),
    });
    const payload = balancePayload(411000, ahead(5));
    const first = await receive('custody', payload);
    await world.process(first.id);
    await take('custody', balancePayload(420000, ahead(6)));
    expect(await receive('custody', payload)).toEqual({ id: first.id, duplicate: true });
    expect(await walletBalance()).toBe('420000');
  });

  test('that is older than the one stored last is stored without an effect', async () => {
    await take('custody', balancePayload(420000, at(2)));
    const late = await world.take('custody', balancePayload(411000, at(1)));
    expect(late).toMatchObject({
      state: 'ignored',
      note: 'came late: a newer balance was reported',
    });
    expect(await walletBalance()).toBe('420000');
    // The late payload does not become the newest stored payload, so this payload still repeats the newest one.
    expect(await receive('custody', balancePayload(420000, at(2)))).toMatchObject({
      duplicate: true,
    });
  });

  test('is a new event when it has the same balance and a later time', async () => {
    await take('custody', balancePayload(411000, at(1)));
    expect(await take('custody', balancePayload(411000, at(2)))).toBe(false);
  });

  test('is still recognized as a repeat after old callbacks were deleted', async () => {
    const { id } = await receive('custody', balancePayload(411000));
    await world.process(id);
    await world.rows(`update rowgate_webhooks.inbox set received_at = now() - interval '2 years'`);
    expect(await world.value('select rowgate_webhooks.clean_inbox()::integer')).toBe(0);
    expect(await receive('custody', balancePayload(411000))).toEqual({ id, duplicate: true });
  });
});

test('the balance remembered for an unknown wallet is deleted together with its callback', async () => {
  const { id } = await receive(
    'custody',
    custodyPayload({ type: 'balance', state: '', balance: 1, walletId: 'cw-never' }),
  );
  await world.process(id);
  await world.rows(`update rowgate_webhooks.inbox set received_at = now() - interval '2 years'`);
  expect(await world.value('select rowgate_webhooks.clean_inbox()::integer')).toBe(1);
  expect(await world.rows('select * from rowgate_webhooks.told_balance')).toEqual([]);
});

describe('a callback about a transaction', () => {
  const transfer = (more: Readonly<Record<string, unknown>> = {}) =>
    custodyPayload({ transfer: `identified-${count}`, amount: '1', ...more });

  test('is a duplicate when wallet, hash and state are the same, whatever the other fields are', async () => {
    const first = await receive('custody', transfer());
    const again = transfer({
      amount: 1.0,
      timestamp: '2026-03-10T12:00:00Z',
      attempt: 2,
    });
    expect(await receive('custody', JSON.stringify(again, null, 1))).toEqual({
      id: first.id,
      duplicate: true,
    });
  });

  test.each([
    ['state', { state: 'pending' }],
    ['hash', { hash: '0xother' }],
    ['wallet', { walletId: 'cw-dogwood-2' }],
    ['transfer', { transfer: 'another' }],
    ['amount', { amount: '2' }],
  ])('is a new event when the %s is different', async (_name, more) => {
    await receive('custody', transfer());
    expect(await receive('custody', transfer(more))).toMatchObject({ duplicate: false });
  });
});

describe('a callback about a card event', () => {
  const payment = (more: Readonly<Record<string, unknown>> = {}) =>
    cardPayload({ merchantName: `Shop ${count}`, ...more });
  const payments = () =>
    world.value('select count(*)::integer from public.card_transaction where merchant_name = $1', [
      `Shop ${count}`,
    ]);

  test('that differs only in spelling has its effect once', async () => {
    await take('card', payment());
    const spelled = payment({ amount: '25.50', timestamp: '2026-03-10T13:00:00+01:00' });
    const reversed = Object.fromEntries(Object.entries(spelled).toReversed());
    expect(await take('card', JSON.stringify(reversed, null, 2))).toBe(true);
    expect(await payments()).toBe(1);
  });

  test('with another event id is a new event, however similar the rest is', async () => {
    await take('card', payment({ eventId: `a-${count}` }));
    expect(await take('card', payment({ eventId: `b-${count}` }))).toBe(false);
    expect(await payments()).toBe(2);
  });

  test.each([[''], [null], [{ nested: 'id' }]])(
    'with the empty event id %j is identified by its other fields',
    async (eventId) => {
      await take('card', payment({ eventId }));
      expect(await take('card', payment({ eventId, amount: 3 }))).toBe(false);
    },
  );

  test('with the same event id is a duplicate, whatever the other fields are', async () => {
    await take('card', payment({ eventId: `a-${count}` }));
    expect(await take('card', payment({ eventId: `a-${count}`, attempt: 2 }))).toBe(true);
    expect(await payments()).toBe(1);
  });

  test('about the same payment at two times is two events', async () => {
    const refund = (second: number) =>
      payment({
        eventType: 'TRANSACTION_REVERSED',
        transactionId: `t-${count}`,
        amount: 5,
        timestamp: `2026-03-10T12:00:0${second}Z`,
      });
    await take('card', payment({ transactionId: `t-${count}` }));
    expect([await take('card', refund(1)), await take('card', refund(2))]).toEqual([false, false]);
    expect(await take('card', { ...refund(2), attempt: 2 })).toBe(true);
    expect(
      await world.value(
        'select amount::text from public.card_transaction where provider_transaction_id = $1',
        [`t-${count}`],
      ),
    ).toBe('15.50');
  });
});

test('a callback about a verification that differs only in spelling is a duplicate', async () => {
  const first = await receive('kyc', kycPayload());
  const spelled = JSON.stringify(kycPayload({ createdAt: '2026-03-10T12:00:00Z' }), null, 2);
  expect(await receive('kyc', spelled)).toEqual({ id: first.id, duplicate: true });
});

test('a callback that had no effect is processed again when the provider sends it again', async () => {
  const payload = custodyPayload({ transfer: `later-${count}`, amount: '1', walletId: 'cw-new' });
  const { id } = await receive('custody', payload);
  await world.process(id);
  expect((await world.callback(id)).state).toBe('unmatched');
  await world.rows(
    `update public.digital_wallet set custody_wallet_id = 'cw-new' where custody_wallet_id = 'cw-dogwood-2'`,
  );
  expect(await receive('custody', payload)).toEqual({ id, duplicate: true });
  expect(await world.callback(id)).toMatchObject({ state: 'stored' });
});
