import { afterAll, beforeAll, expect, test } from 'vitest';
import { tradeSteps } from './support/trade-steps.ts';
import { openTriggerWorld, type TriggerWorld } from './support/trigger-world.ts';

let world: TriggerWorld;
let steps: ReturnType<typeof tradeSteps>;
beforeAll(async () => {
  world = await openTriggerWorld();
  steps = tradeSteps(world);
});
afterAll(() => world.close());

const endpoint = 'on-trade-request-update';

test("the settlement of a trade changes a balance by all digits of the coin's amount", async () => {
  const { id, walletId } = await steps.trade({ quantity: '0.123456789012345678' });
  await world.walk('trade_request', id, ['approved']);
  const done = { executed_quantity: '0.123456789012345678', executed_price: '100000' };
  await world.post(endpoint, await steps.execute(id, done));
  await world.post(
    'on-trade-settlement-update',
    (await steps.settle(id, ['processing', 'settled'])).event,
  );
  expect(await steps.balanceOf(walletId)).toBe('10.123456789012345678');
});

test.each([
  ['buy', 'BTC', '12'],
  ['sell', 'BTC', '8'],
  // The price is 2 × 100, and the fee is 1.5.
  ['buy', 'USDC', '-191.5'],
  ['sell', 'USDC', '208.5'],
])('a settled trade to %s changes a wallet of %s from 10 to %s', async (side, coin, balance) => {
  const { id, walletId, organization } = await steps.trade({ side, fee: '1.50' }, { coin });
  const quote = await steps.quoteFor(organization, { side });
  await world.change('trade_request', id, { otc_quote_id: quote });
  await world.post(endpoint, await world.walk('trade_request', id, ['approved']));
  await world.post(
    endpoint,
    await steps.execute(id, { executed_quantity: 2, executed_price: 100 }),
  );
  const { settlement, event } = await steps.settle(id, ['processing', 'settled']);
  const { body } = await world.post('on-trade-settlement-update', event);
  expect(body).toMatchObject({ outcome: 'settled', counted: true, trade: 'moved' });
  expect(await steps.balanceOf(walletId)).toBe(balance);
  expect(await world.statusOf('trade_request', id)).toBe('settled');
  expect(await world.statusOf('otc_quote', quote)).toBe('settled');
  expect(
    await world.row(
      `select t.kind, t.status, t.counted_at is not null as counted from public.asset_transaction t
       join public.trade_settlement s on s.asset_transaction_id = t.id where s.id = $1`,
      [settlement],
    ),
  ).toEqual({ kind: 'trade', status: 'confirmed', counted: true });
});

test('twenty events of one settlement at the same time change the balance once', async () => {
  const { id, walletId } = await steps.trade();
  await world.walk('trade_request', id, ['approved']);
  await world.post(
    endpoint,
    await steps.execute(id, { executed_quantity: 2, executed_price: 100 }),
  );
  const { event } = await steps.settle(id, ['processing', 'settled']);
  const name = 'on-trade-settlement-update';
  const answers = await world.postTwentyTimes(name, event, 'digital_wallet', walletId);
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(await steps.balanceOf(walletId)).toBe('12');
});

test('a trade gets the status settled with the last of its settlements', async () => {
  const { id, organization } = await steps.trade();
  await world.walk('trade_request', id, ['approved']);
  await world.post(
    endpoint,
    await steps.execute(id, { executed_quantity: 2, executed_price: 100 }),
  );
  await world.rows(
    'update public.trade_settlement set coin_amount = 1, amount = 100 where trade_request_id = $1',
    [id],
  );
  const { event } = await steps.settle(id, ['processing', 'settled']);
  const second = await world.insert('trade_settlement', {
    organization_id: organization,
    trade_request_id: id,
    coin: 'BTC',
    coin_amount: 1,
    amount: 100,
  });
  await world.post('on-trade-settlement-update', event);
  expect(await world.statusOf('trade_request', id)).toBe('executed');
  const last = await world.walk('trade_settlement', second.id, ['processing', 'settled']);
  await world.post('on-trade-settlement-update', last);
  expect(await world.statusOf('trade_request', id)).toBe('settled');
});

test('a failed settlement changes no balance, and is reported to the roles trader and accounting', async () => {
  const { id, walletId } = await steps.trade({ quantity: '3.1415' });
  await world.walk('trade_request', id, ['approved']);
  await world.post(
    endpoint,
    await steps.execute(id, { executed_quantity: '3.1415', executed_price: 100 }),
  );
  const { event } = await steps.settle(id, ['processing', 'failed']);
  await world.post('on-trade-settlement-update', event);
  expect(await world.countNotified('trader', 'A settlement failed', '3.1415')).toBeGreaterThan(0);
  expect(await world.countNotified('accounting', 'A settlement failed', '3.1415')).toBeGreaterThan(
    0,
  );
  expect(await steps.balanceOf(walletId)).toBe('10');
});

/** Inserts an executed trade of 2 BTC at 100 USD that has no settlements yet. */
async function executed(side: string, wallet = {}) {
  const trade = await steps.trade(
    { side, status: 'executed', executed_quantity: 2, executed_price: 100 },
    wallet,
  );
  const settle = async (values: Readonly<Record<string, unknown>>) => {
    const { id } = await world.insert('trade_settlement', {
      organization_id: trade.organization,
      trade_request_id: trade.id,
      coin: 'BTC',
      coin_amount: 2,
      amount: 200,
      ...values,
    });
    const event = await world.walk('trade_settlement', id, ['processing', 'settled']);
    return (await world.post('on-trade-settlement-update', event)).body.outcome;
  };
  return { ...trade, settle };
}

test.each([
  ['of more coins than were traded', 'buy', 'BTC', { coin_amount: '2.000000000000000001' }],
  ['of another coin', 'buy', 'ETH', { coin: 'ETH' }],
  ['of another currency', 'buy', 'EURC', { currency: 'EUR' }],
  ['for more money than the coins were sold for', 'sell', 'USDC', { amount: '200.01' }],
  ['for less money than the coins were bought for', 'buy', 'USDC', { amount: '199.99' }],
])(
  'a settlement %s changes no balance, and is reported to the roles accounting and compliance',
  async (_title, side, coin, values) => {
    await world.owner.query(`delete from public.notification`);
    const { settle, walletId } = await executed(side, { coin });
    expect(await settle(values)).toBe('unfit');
    expect(await steps.balanceOf(walletId)).toBe('10');
    const title = 'A settlement is not of what was executed';
    expect(await world.countNotified('accounting', title)).toBeGreaterThan(0);
    expect(await world.countNotified('compliance', title)).toBeGreaterThan(0);
  },
);

test('several settlements of a trade together book no more than was executed, and refused ones do not count', async () => {
  const { settle, walletId } = await executed('buy');
  expect(await settle({ coin_amount: 1000000 })).toBe('unfit');
  expect(await settle({ coin_amount: '1.5', amount: 150 })).toBe('settled');
  expect(await settle({ coin_amount: 1, amount: 100 })).toBe('unfit');
  expect(await settle({ coin_amount: '0.5', amount: 50 })).toBe('settled');
  expect(await steps.balanceOf(walletId)).toBe('12');
});

test.each([
  ['in the right direction', 'out', '2', 'settled', '8'],
  ['in the wrong direction', 'in', '2', 'unfit', '10'],
  ['of fewer coins', 'out', '0.1', 'unfit', '10'],
])(
  'a settlement that names a transaction %s changes the balance only when the transaction fits',
  async (_title, direction, amount, outcome, balance) => {
    const { settle, walletId, organization } = await executed('sell');
    const { id } = await world.insert('asset_transaction', {
      organization_id: organization,
      digital_wallet_id: walletId,
      coin: 'BTC',
      status: 'confirmed',
      direction,
      amount,
    });
    expect(await settle({ asset_transaction_id: id })).toBe(outcome);
    expect(await steps.balanceOf(walletId)).toBe(balance);
  },
);
