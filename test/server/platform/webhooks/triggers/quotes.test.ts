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

test('the approval of a trade request accepts the quote that it names', async () => {
  const { id, organization, person } = await steps.trade();
  const quote = await steps.quoteFor(organization);
  await world.change('trade_request', id, { otc_quote_id: quote });
  await world.post(endpoint, await world.walk('trade_request', id, ['approved']));
  expect(await world.statusOf('otc_quote', quote)).toBe('accepted');
  expect(await world.notifications(person)).toEqual(['Your trade request was approved']);
});

test('the approval of a trade request that names an expired quote ends the request', async () => {
  const { id, organization } = await steps.trade();
  const quote = await steps.quoteFor(organization, { expires_at: '2020-01-01' });
  await world.change('trade_request', id, { otc_quote_id: quote });
  const { body } = await world.post(endpoint, await world.walk('trade_request', id, ['approved']));
  expect(body.quote).toBe('gone');
  expect(await world.statusOf('otc_quote', quote)).toBe('expired');
  expect(await world.statusOf('trade_request', id)).toBe('expired');
});

test.each([
  ['another pair of coin and currency', { pair: 'ETH/USD' }],
  ['the other side (buy or sell)', { side: 'sell' }],
  ['another currency', { currency: 'EUR' }],
  ['fewer coins', { quantity: '1.999999999999999999' }],
])(
  'the approval of a trade request that names a quote for %s rejects the request, and the quote can still be used',
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

test('the approval of a trade request that names a quote for another wallet rejects the request, and the quote can still be used', async () => {
  const { id, organization } = await steps.trade();
  const other = await world.wallet(organization, {});
  const quote = await steps.quoteFor(organization, { digital_wallet_id: other.id });
  await world.change('trade_request', id, { otc_quote_id: quote });
  await world.post(endpoint, await world.walk('trade_request', id, ['approved']));
  expect(await world.statusOf('otc_quote', quote)).toBe('quoted');
  expect(await world.statusOf('trade_request', id)).toBe('rejected');
});

test('the approval of a trade request accepts a quote for the same wallet and more coins than requested', async () => {
  const { id, organization, walletId } = await steps.trade();
  const quote = await steps.quoteFor(organization, { digital_wallet_id: walletId, quantity: 3 });
  await world.change('trade_request', id, { otc_quote_id: quote });
  await world.post(endpoint, await world.walk('trade_request', id, ['approved']));
  expect(await world.statusOf('otc_quote', quote)).toBe('accepted');
});

test('a trade that is executed without its quote uses up no quote of other trades', async () => {
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

test('of two trade requests with the same quote that are approved at the same time, one gets the quote and the other is rejected', async () => {
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
  'a trade request that is %s releases its quote, and this is reported',
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

test('a trade request that has not accepted its quote does not release it for another request', async () => {
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

test('a quote that one trade request has accepted is not accepted by another', async () => {
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

test('a quote that a cancelled trade request releases is marked as expired when its time has passed meanwhile', async () => {
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
