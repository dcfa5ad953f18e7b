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

test('an approved request accepts its quote', async () => {
  const { id, organization, person } = await steps.trade();
  const quote = await steps.quoteFor(organization);
  await world.change('trade_request', id, { otc_quote_id: quote });
  await world.post(endpoint, await world.walk('trade_request', id, ['approved']));
  expect(await world.statusOf('otc_quote', quote)).toBe('accepted');
  expect(await world.notifications(person)).toEqual(['Your trade request was approved']);
});

test('an expired quote ends the request that names it', async () => {
  const { id, organization } = await steps.trade();
  const quote = await steps.quoteFor(organization, { expires_at: '2020-01-01' });
  await world.change('trade_request', id, { otc_quote_id: quote });
  const { body } = await world.post(endpoint, await world.walk('trade_request', id, ['approved']));
  expect(body.quote).toBe('gone');
  expect(await world.statusOf('otc_quote', quote)).toBe('expired');
  expect(await world.statusOf('trade_request', id)).toBe('expired');
});

test.each([
  ['another pair', { pair: 'ETH/USD' }],
  ['the other side', { side: 'sell' }],
  ['another currency', { currency: 'EUR' }],
  ['fewer coins', { quantity: '1.999999999999999999' }],
])(
  'a quote for %s is not used up, and the request that names it is rejected',
  async (_title, values) => {
    const { id, organization, person } = await steps.trade();
    const quote = await steps.quoteFor(organization, values);
    await world.change('trade_request', id, { otc_quote_id: quote });
    const { body } = await world.post(
      endpoint,
      await world.walk('trade_request', id, ['approved']),
    );
    expect(body.quote).toBe('unfit');
    expect(await world.statusOf('otc_quote', quote)).toBe('quoted');
    expect(await world.statusOf('trade_request', id)).toBe('rejected');
    expect(await reasonOf(id)).toBe('The quote is for something else');
    expect(await world.notifications(person)).toEqual([]);
  },
);

test('a quote for another wallet is not used up', async () => {
  const { id, organization } = await steps.trade();
  const other = await world.wallet(organization, {});
  const quote = await steps.quoteFor(organization, { digital_wallet_id: other.id });
  await world.change('trade_request', id, { otc_quote_id: quote });
  await world.post(endpoint, await world.walk('trade_request', id, ['approved']));
  expect(await world.statusOf('otc_quote', quote)).toBe('quoted');
  expect(await world.statusOf('trade_request', id)).toBe('rejected');
});

test('a quote for the same wallet and more coins is accepted', async () => {
  const { id, organization, walletId } = await steps.trade();
  const quote = await steps.quoteFor(organization, { digital_wallet_id: walletId, quantity: 3 });
  await world.change('trade_request', id, { otc_quote_id: quote });
  await world.post(endpoint, await world.walk('trade_request', id, ['approved']));
  expect(await world.statusOf('otc_quote', quote)).toBe('accepted');
});

test('a trade that is executed without its quote uses up no quote for other trades', async () => {
  const { id, organization } = await steps.trade();
  const quote = await steps.quoteFor(organization, { pair: 'ETH/USD' });
  await world.change('trade_request', id, { otc_quote_id: quote });
  await world.walk('trade_request', id, ['approved']);
  await world.post(
    endpoint,
    await steps.execute(id, { executed_quantity: 2, executed_price: 100 }),
  );
  expect(await world.statusOf('otc_quote', quote)).toBe('quoted');
});

test('of two requests that are approved for one quote at once, one gets it and the other is rejected', async () => {
  const one = await steps.trade();
  const quote = await steps.quoteFor(one.organization);
  const { id: other } = await world.insert('trade_request', {
    organization_id: one.organization,
    quantity: 2,
    status: 'submitted',
  });
  const events = [];
  for (const id of [one.id, String(other)]) {
    await world.change('trade_request', id, { otc_quote_id: quote });
    events.push(await world.walk('trade_request', id, ['approved']));
  }
  await Promise.all(events.map((event) => world.post(endpoint, event)));
  const outcomes = [
    await world.statusOf('trade_request', one.id),
    await world.statusOf('trade_request', other),
  ];
  expect(outcomes.sort()).toEqual(['approved', 'rejected']);
  expect(await world.statusOf('otc_quote', quote)).toBe('accepted');
});

test.each(['cancelled', 'rejected', 'expired'])(
  'a request that is %s releases its quote and reports this',
  async (end) => {
    const { id, organization, person } = await steps.trade();
    const quote = await steps.quoteFor(organization);
    await world.change('trade_request', id, { otc_quote_id: quote });
    await world.post(endpoint, await world.walk('trade_request', id, ['approved']));
    await world.post(endpoint, await world.walk('trade_request', id, [end]));
    expect(await world.statusOf('otc_quote', quote)).toBe('quoted');
    expect(await world.notifications(person)).toHaveLength(2);
  },
);

test('a request without an accepted quote does not release the quote of another request', async () => {
  const { id, organization } = await steps.trade();
  const quote = await steps.quoteFor(organization);
  await world.change('trade_request', id, { otc_quote_id: quote });
  await world.post(endpoint, await world.walk('trade_request', id, ['approved']));
  const { id: other } = await world.insert('trade_request', {
    organization_id: organization,
    otc_quote_id: quote,
    quantity: 2,
    status: 'submitted',
  });
  await world.post(endpoint, await world.walk('trade_request', other, ['cancelled']));
  expect(await world.statusOf('otc_quote', quote)).toBe('accepted');
});

test('a quote that another request has accepted is not accepted again', async () => {
  const { id, organization } = await steps.trade();
  const quote = await steps.quoteFor(organization, { status: 'accepted' });
  await world.insert('trade_request', {
    organization_id: organization,
    otc_quote_id: quote,
    quantity: 2,
    status: 'settled',
  });
  await world.change('trade_request', id, { otc_quote_id: quote });
  await world.post(endpoint, await world.walk('trade_request', id, ['approved']));
  expect(await world.statusOf('trade_request', id)).toBe('rejected');
});

test('a quote that has expired in the meantime is not offered again', async () => {
  const { id, organization } = await steps.trade();
  const quote = await steps.quoteFor(organization, { expires_at: '2999-01-01' });
  await world.change('trade_request', id, { otc_quote_id: quote });
  await world.post(endpoint, await world.walk('trade_request', id, ['approved']));
  await world.change('otc_quote', quote, { expires_at: '2026-01-01' });
  await world.post(endpoint, await world.walk('trade_request', id, ['cancelled']));
  expect(await world.statusOf('otc_quote', quote)).toBe('expired');
});

async function reasonOf(id: string): Promise<string> {
  const select = 'select status_reason from public.trade_request where id = $1';
  return (await world.row(select, [id])).status_reason;
}
