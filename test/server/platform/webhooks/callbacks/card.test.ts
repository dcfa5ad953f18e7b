import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CallbackWorld } from './support/callback-world.ts';
import { cardPayload } from './support/payloads.ts';

const card = 'c0000000-0000-4000-8000-000000000101';
const holder = 'local|alder-cardholder';

let world: CallbackWorld;
beforeAll(async () => {
  world = await CallbackWorld.make();
});
afterAll(() => world.end());

let merchantName = '';
let count = 0;
beforeEach(async () => {
  count += 1;
  merchantName = `Merchant ${count}`;
  await world.rows('update public.card set balance = 1000, spending_limit = null where id = $1', [
    card,
  ]);
  await world.rows('delete from rowgate_webhooks.last_heard');
  await world.rows(`delete from public.notification where created_at > now() - interval '1 hour'`);
});

const take = (eventType: string, more: Readonly<Record<string, unknown>> = {}) =>
  world.take('card', cardPayload({ eventType, merchantName, ...more }));

const balance = () => world.value('select balance::text from public.card where id = $1', [card]);

const payments = () =>
  world.rows(
    `select amount::text, currency, status, occurred_at::text as at, settled_at::text
     from public.card_transaction where merchant_name = $1 order by created_at, id`,
    [merchantName],
  );

const at = '2026-03-10 12:00:00+00';
const later = '2026-03-11T12:00:00Z';

describe("a payment by card, reported by callbacks of the card's issuer,", () => {
  test('reduces the balance of the card when it is authorized', async () => {
    await take('TRANSACTION_AUTHORIZED');
    expect(await payments()).toEqual([
      { amount: '25.50', currency: 'USD', status: 'authorized', at, settled_at: null },
    ]);
    expect(await balance()).toBe('974.50');
  });

  test('reduces the balance only once when it is authorized and then settled', async () => {
    await take('TRANSACTION_AUTHORIZED');
    await take('TRANSACTION_SETTLED', { timestamp: later });
    expect(await payments()).toEqual([
      {
        amount: '25.50',
        currency: 'USD',
        status: 'settled',
        at,
        settled_at: '2026-03-11 12:00:00+00',
      },
    ]);
    expect(await balance()).toBe('974.50');
  });

  test('can be settled for more than was authorized', async () => {
    await take('TRANSACTION_AUTHORIZED', { transactionId: `p-${count}` });
    await take('TRANSACTION_SETTLED', { transactionId: `p-${count}`, amount: 30.05 });
    expect(await payments()).toMatchObject([{ amount: '30.05', status: 'settled' }]);
    expect(await balance()).toBe('969.95');
  });

  test('can be settled without an authorization', async () => {
    await take('TRANSACTION_SETTLED');
    expect(await payments()).toMatchObject([{ status: 'settled' }]);
    expect(await balance()).toBe('974.50');
  });

  test('restores the balance when it is reversed', async () => {
    await take('TRANSACTION_AUTHORIZED');
    await take('TRANSACTION_SETTLED');
    await take('TRANSACTION_REVERSED', { timestamp: later });
    expect(await payments()).toMatchObject([{ amount: '25.50', status: 'reversed' }]);
    expect(await balance()).toBe('1000.00');
  });

  test('restores a part of the balance when it is reversed in part', async () => {
    await take('TRANSACTION_SETTLED', { transactionId: `p-${count}`, amount: 100 });
    await take('TRANSACTION_REVERSED', { transactionId: `p-${count}`, amount: 40 });
    expect(await payments()).toMatchObject([{ amount: '60.00', status: 'settled' }]);
    expect(await balance()).toBe('940.00');
  });

  test("that is declined is reported to the card's holder and does not change the balance", async () => {
    await take('TRANSACTION_DECLINED', { declineReason: 'insufficient funds' });
    expect(await payments()).toMatchObject([{ status: 'declined' }]);
    expect(await balance()).toBe('1000.00');
    expect(await world.notifications(holder)).toEqual(['A card payment was declined']);
  });

  test('keeps an amount with more digits than a float', async () => {
    const text = JSON.stringify(cardPayload({ merchantName, amount: 0 }));
    await world.take('card', text.replace('"amount":0', '"amount":123456789012345678.91'));
    expect(await payments()).toMatchObject([{ amount: '123456789012345678.91' }]);
    expect(await balance()).toBe('-123456789012344678.91');
  });

  test("in a currency other than the card's is stored without changing the balance", async () => {
    const callback = await take('TRANSACTION_AUTHORIZED', { currency: 'EUR' });
    expect(callback.note).toMatch(/^in another currency/);
    expect(await payments()).toMatchObject([{ amount: '25.50', currency: 'EUR' }]);
    expect(await balance()).toBe('1000.00');
  });

  test("in a currency other than the card's changes the balance by its billed amount", async () => {
    await take('TRANSACTION_AUTHORIZED', { currency: 'EUR', billingAmount: '28.10' });
    expect(await payments()).toMatchObject([{ amount: '28.10', currency: 'USD' }]);
    expect(await balance()).toBe('971.90');
  });

  test('of zero is not stored as a payment', async () => {
    expect(await take('TRANSACTION_AUTHORIZED', { amount: 0 })).toMatchObject({ state: 'ignored' });
    expect(await payments()).toEqual([]);
  });

  test('counts as a new payment when merchant and amount of an earlier one are repeated', async () => {
    await take('TRANSACTION_AUTHORIZED');
    await take('TRANSACTION_SETTLED', { timestamp: later });
    await take('TRANSACTION_AUTHORIZED', { timestamp: '2026-03-12T12:00:00Z' });
    expect(await payments()).toMatchObject([{ status: 'settled' }, { status: 'authorized' }]);
    expect(await balance()).toBe('949.00');
  });
});

describe('callbacks about a card payment that arrive in another order:', () => {
  test.each([
    ["when both name the payment's id", { transactionId: 'early' }],
    ['when only merchant and amount match', {}],
  ])('a settlement that arrives before the authorization counts once, %s', async (_name, more) => {
    await take('TRANSACTION_SETTLED', { ...more, timestamp: later });
    const late = await take('TRANSACTION_AUTHORIZED', more);
    expect(late).toMatchObject({ state: 'done', note: 'came late: the payment is settled' });
    expect(await payments()).toMatchObject([{ status: 'settled', at }]);
    expect(await balance()).toBe('974.50');
  });

  test('a reversal that arrives before the authorization does not change the balance', async () => {
    await take('TRANSACTION_REVERSED', { transactionId: `p-${count}` });
    await take('TRANSACTION_AUTHORIZED', { transactionId: `p-${count}` });
    await take('TRANSACTION_SETTLED', { transactionId: `p-${count}` });
    expect(await payments()).toMatchObject([{ status: 'reversed' }]);
    expect(await balance()).toBe('1000.00');
  });

  test('a reversal that names no payment id waits for the payment', async () => {
    const reversal = cardPayload({ eventType: 'TRANSACTION_REVERSED', merchantName });
    const response = await world.post('card', reversal);
    const { id } = (await response.json()) as { id: string };
    await expect(world.process(id)).rejects.toThrow('there is no payment to reverse yet');
    await take('TRANSACTION_AUTHORIZED');
    await world.process(id);
    expect((await world.callback(id)).state).toBe('done');
    expect(await balance()).toBe('1000.00');
  });

  test('a settlement of a declined payment is refused, and the refusal is recorded', async () => {
    await take('TRANSACTION_DECLINED', { transactionId: `p-${count}` });
    const refused = await take('TRANSACTION_SETTLED', { transactionId: `p-${count}` });
    expect(refused.note).toBe('refused: a payment that is declined cannot become settled');
    expect(await balance()).toBe('1000.00');
    expect(
      await world.value('select to_status from rowgate_webhooks.refused_move where event_id = $1', [
        refused.id,
      ]),
    ).toBe('settled');
  });
});

describe('the monthly limit of a card', () => {
  let month = '';
  beforeEach(async () => {
    await world.rows('update public.card set spending_limit = 100 where id = $1', [card]);
    // Each test uses a separate month, so that payments of other tests do not count.
    month = `${1980 + count}-07`;
  });

  const spend = (amount: number, day: string) =>
    take('TRANSACTION_AUTHORIZED', { amount, timestamp: `${month}-${day}T12:00:00Z` });
  const most = "100 % of the card's monthly limit is spent";
  const much = "80 % of the card's monthly limit is spent";

  test('causes no notification while less than 80 % of it is spent', async () => {
    await spend(79.99, '01');
    expect(await world.notifications(holder)).toEqual([]);
  });

  test('causes one notification at 80 %, and one when all of it is spent', async () => {
    await spend(80, '01');
    expect(await world.notifications(holder)).toEqual([much]);
    await spend(5, '02');
    await spend(15, '03');
    await spend(15, '04');
    expect((await world.notifications(holder)).toSorted()).toEqual([most, much]);
  });

  test('causes one notification when one payment passes both 80 % and the limit', async () => {
    await spend(120, '01');
    await spend(1, '02');
    expect(await world.notifications(holder)).toEqual([most]);
  });

  test("does not count payments in a currency other than the card's", async () => {
    const timestamp = `${month}-01T12:00:00Z`;
    await take('TRANSACTION_AUTHORIZED', { amount: 90, currency: 'EUR', timestamp });
    await spend(10, '02');
    expect(await world.notifications(holder)).toEqual([]);
  });

  test('counts the payments of the month, without declined and reversed ones', async () => {
    await take('TRANSACTION_AUTHORIZED', {
      amount: 70,
      timestamp: `${month.replace('07', '06')}-30T23:59:59Z`,
    });
    await take('TRANSACTION_DECLINED', { amount: 70, timestamp: `${month}-01T00:00:00Z` });
    await world.rows(
      `delete from public.notification where created_at > now() - interval '1 hour'`,
    );
    await spend(60, '01');
    await take('TRANSACTION_REVERSED', { amount: 60, timestamp: `${month}-02T00:00:00Z` });
    await spend(79, '03');
    expect(await world.notifications(holder)).toEqual([]);
  });
});

test.each(['TRANSACTION_DREAMT', 'CARD_LOST_IN_THE_SEA', 'SOMETHING_ELSE'])(
  'a callback with %s is stored without an effect on the card',
  async (eventType) => {
    expect(await take(eventType)).toMatchObject({
      state: 'ignored',
      note: 'the event type is not known',
    });
    expect(await balance()).toBe('1000.00');
    expect(await payments()).toEqual([]);
  },
);
