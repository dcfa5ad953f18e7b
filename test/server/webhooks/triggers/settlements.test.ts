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

test('no digit of a coin’s amount is lost on the way to the balance', async () => {
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
  // 2 × 100 and a fee of 1.5.
  ['buy', 'USDC', '-191.5'],
  ['sell', 'USDC', '208.5'],
])('settled, to %s moves a wallet of %s from 10 to %s', async (side, coin, balance) => {
  const { id, walletId, organization } = await steps.trade({ side, fee: '1.50' }, { coin });
  const quote = await steps.quoteFor(organization);
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

test('a settlement that is told twenty times at once moves the balance once', async () => {
  const { id, walletId } = await steps.trade();
  await world.walk('trade_request', id, ['approved']);
  await world.post(
    endpoint,
    await steps.execute(id, { executed_quantity: 2, executed_price: 100 }),
  );
  const { event } = await steps.settle(id, ['processing', 'settled']);
  const name = 'on-trade-settlement-update';
  const answers = await world.crowd(name, event, 'digital_wallet', walletId);
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(await steps.balanceOf(walletId)).toBe('12');
});

test('a trade is settled when the last of its settlements is', async () => {
  const { id, organization } = await steps.trade();
  await world.walk('trade_request', id, ['approved']);
  await world.post(
    endpoint,
    await steps.execute(id, { executed_quantity: 2, executed_price: 100 }),
  );
  const { event } = await steps.settle(id, ['processing', 'settled']);
  const second = await world.insert('trade_settlement', {
    organization_id: organization,
    trade_request_id: id,
    coin: 'BTC',
    coin_amount: 1,
    amount: 1,
  });
  await world.post('on-trade-settlement-update', event);
  expect(await world.statusOf('trade_request', id)).toBe('executed');
  const last = await world.walk('trade_settlement', second.id, ['processing', 'settled']);
  await world.post('on-trade-settlement-update', last);
  expect(await world.statusOf('trade_request', id)).toBe('settled');
});

test('a settlement that failed is told to traders and accounting, and moves nothing', async () => {
  const { id, walletId } = await steps.trade({ quantity: '3.1415' });
  await world.walk('trade_request', id, ['approved']);
  await world.post(
    endpoint,
    await steps.execute(id, { executed_quantity: '3.1415', executed_price: 100 }),
  );
  const { event } = await steps.settle(id, ['processing', 'failed']);
  await world.post('on-trade-settlement-update', event);
  expect(await world.toldRole('trader', 'A settlement failed', '3.1415')).toBeGreaterThan(0);
  expect(await world.toldRole('accounting', 'A settlement failed', '3.1415')).toBeGreaterThan(0);
  expect(await steps.balanceOf(walletId)).toBe('10');
});
