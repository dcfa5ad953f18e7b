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

/** Receives and processes a payload. Returns whether it was a duplicate. */
async function take(sender: Sender, payload: unknown): Promise<boolean> {
  const { id, duplicate } = await receive(sender, payload);
  await world.process(id);
  return duplicate;
}

const walletBalance = () =>
  world.value(
    `select trim_scale(balance)::text from public.digital_wallet where custody_wallet_id = 'cw-dogwood-1'`,
  );

describe('a balance', () => {
  const balancePayload = (balance: unknown, more: Readonly<Record<string, unknown>> = {}) =>
    custodyPayload({ type: 'balance', state: '', hash: '', transfer: '', balance, ...more });
  const lastFirst = (receipts: readonly Receipt[]) => [
    ...receipts.slice(-1),
    ...receipts.slice(0, -1),
  ];
  const at = (second: number) => ({ timestamp: `2026-05-10T12:00:0${second}Z` });

  test('counts when it differs from the last one', async () => {
    const duplicates = [
      await take('custody', balancePayload(411000)),
      await take('custody', balancePayload(420000)),
      await take('custody', balancePayload(411000)),
    ];
    expect(duplicates).toEqual([false, false, false]);
    expect(await walletBalance()).toBe('411000');
  });

  test('counts also when workers begin with the last one', async () => {
    const receipts = [
      await receive('custody', balancePayload(411000)),
      await receive('custody', balancePayload(420000)),
      await receive('custody', balancePayload(411000)),
    ];
    expect(new Set(receipts.map(({ id }) => id)).size).toBe(3);
    for (const { id } of lastFirst(receipts)) await world.process(id);
    expect(await walletBalance()).toBe('411000');
  });

  test('counts also within one second of the provider’s clock', async () => {
    const receipts = [
      await receive('custody', balancePayload(411000, at(0))),
      await receive('custody', balancePayload(420000, at(0))),
      await receive('custody', balancePayload(411000, at(0))),
    ];
    for (const { id } of lastFirst(receipts)) await world.process(id);
    expect(await walletBalance()).toBe('411000');
  });

  test('that is repeated at once is a duplicate, in any spelling', async () => {
    const first = await receive('custody', balancePayload(411000));
    const again = await receive('custody', JSON.stringify(balancePayload('411000.0'), null, 2));
    expect(again).toEqual({ id: first.id, duplicate: true });
  });

  test('that arrives twenty times at once is stored once', async () => {
    const receipts = await Promise.all(
      Array.from({ length: 20 }, () => receive('custody', balancePayload(411000))),
    );
    expect(receipts.filter(({ duplicate }) => !duplicate)).toHaveLength(1);
    expect(new Set(receipts.map(({ id }) => id)).size).toBe(1);
  });

  test('ends as the last one that was stored of many concurrent ones', async () => {
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => receive('custody', balancePayload(411000 + (n % 2)))),
    );
    const rows = await world.rows<CallbackRow & { readonly balance: string }>(
      `select id, payload ->> 'balance' as balance from rowgate_webhooks.inbox order by arrival`,
    );
    await Promise.all(rows.map(({ id }) => world.process(id)));
    expect(await walletBalance()).toBe(rows.at(-1)?.balance);
  });

  test('that is sent again later is a duplicate and is not counted', async () => {
    const first = await receive('custody', balancePayload(411000, at(1)));
    await world.process(first.id);
    await take('custody', balancePayload(420000, at(2)));
    expect(await receive('custody', balancePayload(411000, at(1)))).toEqual({
      id: first.id,
      duplicate: true,
    });
    expect(await walletBalance()).toBe('420000');
  });

  test('that is sent again later is a duplicate also when the provider’s clock is ahead', async () => {
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

  test('that is older than the last one is stored and ignored', async () => {
    await take('custody', balancePayload(420000, at(2)));
    const late = await world.take('custody', balancePayload(411000, at(1)));
    expect(late).toMatchObject({
      state: 'ignored',
      note: 'came late: a newer balance was told',
    });
    expect(await walletBalance()).toBe('420000');
    // A late payload does not become the last one, so this one is still a repeat.
    expect(await receive('custody', balancePayload(420000, at(2)))).toMatchObject({
      duplicate: true,
    });
  });

  test('with a later time is a new event', async () => {
    await take('custody', balancePayload(411000, at(1)));
    expect(await take('custody', balancePayload(411000, at(2)))).toBe(false);
  });

  test('stays for comparison after callbacks are cleaned up', async () => {
    const { id } = await receive('custody', balancePayload(411000));
    await world.process(id);
    await world.rows(`update rowgate_webhooks.inbox set received_at = now() - interval '2 years'`);
    expect(await world.value('select rowgate_webhooks.clean_inbox()::integer')).toBe(0);
    expect(await receive('custody', balancePayload(411000))).toEqual({ id, duplicate: true });
  });
});

test('the last balance of an unknown wallet is deleted with its callback', async () => {
  const { id } = await receive(
    'custody',
    custodyPayload({ type: 'balance', state: '', balance: 1, walletId: 'cw-never' }),
  );
  await world.process(id);
  await world.rows(`update rowgate_webhooks.inbox set received_at = now() - interval '2 years'`);
  expect(await world.value('select rowgate_webhooks.clean_inbox()::integer')).toBe(1);
  expect(await world.rows('select * from rowgate_webhooks.told_balance')).toEqual([]);
});

describe('a transaction', () => {
  const transfer = (more: Readonly<Record<string, unknown>> = {}) =>
    custodyPayload({ transfer: `identified-${count}`, amount: '1', ...more });

  test('is identified by wallet, hash and state, whatever its other fields', async () => {
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
  ])('is another one where the %s differs', async (_name, more) => {
    await receive('custody', transfer());
    expect(await receive('custody', transfer(more))).toMatchObject({ duplicate: false });
  });
});

describe('a card event', () => {
  const payment = (more: Readonly<Record<string, unknown>> = {}) =>
    cardPayload({ merchantName: `Shop ${count}`, ...more });
  const payments = () =>
    world.value('select count(*)::integer from public.card_transaction where merchant_name = $1', [
      `Shop ${count}`,
    ]);

  test('that differs only in spelling is not booked twice', async () => {
    await take('card', payment());
    const spelled = payment({ amount: '25.50', timestamp: '2026-03-10T13:00:00+01:00' });
    const reversed = Object.fromEntries(Object.entries(spelled).toReversed());
    expect(await take('card', JSON.stringify(reversed, null, 2))).toBe(true);
    expect(await payments()).toBe(1);
  });

  test('with another id is a new event, however similar', async () => {
    await take('card', payment({ eventId: `a-${count}` }));
    expect(await take('card', payment({ eventId: `b-${count}` }))).toBe(false);
    expect(await payments()).toBe(2);
  });

  test.each([[''], [null], [{ nested: 'id' }]])(
    'with the empty id %j is identified by its fields',
    async (eventId) => {
      await take('card', payment({ eventId }));
      expect(await take('card', payment({ eventId, amount: 3 }))).toBe(false);
    },
  );

  test('with the same id is the same event, whatever its other fields', async () => {
    await take('card', payment({ eventId: `a-${count}` }));
    expect(await take('card', payment({ eventId: `a-${count}`, attempt: 2 }))).toBe(true);
    expect(await payments()).toBe(1);
  });

  test('of one payment at two times are two', async () => {
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

test('a KYC event that differs only in spelling is a duplicate', async () => {
  const first = await receive('kyc', kycPayload());
  const spelled = JSON.stringify(kycPayload({ createdAt: '2026-03-10T12:00:00Z' }), null, 2);
  expect(await receive('kyc', spelled)).toEqual({ id: first.id, duplicate: true });
});

test('a callback without effect is processed when it is sent again', async () => {
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
