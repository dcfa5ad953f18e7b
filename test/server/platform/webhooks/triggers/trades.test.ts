import { afterAll, beforeAll, expect, test } from 'vitest';
import { payloadOf } from './support/payload.ts';
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

test('a submitted trade request is reported to the person who made it and to the people who may approve it', async () => {
  const { id, person } = await steps.trade({ status: 'draft', quantity: '1.23456789' });
  await world.post(endpoint, await world.walk('trade_request', id, ['submitted']));
  expect(await world.notifications(person)).toEqual(['Your trade request was received']);
  const waiting = 'A trade request waits for approval';
  expect(await world.countNotified('front_office', waiting, '1.23456789')).toBeGreaterThan(0);
});

test('a trade request of a fund is reported only to the signatories of that fund', async () => {
  const { organization } = await world.client();
  const signatory = await world.person(organization, 'fund_signatory');
  const other = await world.person(organization, 'fund_signatory');
  const { id: fund } = await world.insert('fund', { organization_id: organization });
  await world.owner.query('insert into public.fund_access values ($1, $2)', [signatory, fund]);
  const { id } = await world.insert('trade_request', {
    organization_id: organization,
    fund_id: fund,
    quantity: 7.5,
  });
  await world.post(endpoint, await world.walk('trade_request', id, ['submitted']));
  expect(await world.notifications(signatory)).toEqual(['A trade request waits for approval']);
  expect(await world.notifications(other)).toEqual([]);
});

test.each([
  ['a purchase costs the price plus the fee', 'buy', '12344.95'],
  ['a sale brings the price minus the fee', 'sell', '12321.55'],
])('the settlement of %s', async (_title, side, amount) => {
  const { id } = await steps.trade({ side, quantity: 10, fee: '11.70' });
  await world.walk('trade_request', id, ['approved']);
  // The value without the fee is 9.99 × 1234.56 = 12333.2544.
  const done = { executed_quantity: '9.99', executed_price: '1234.56' };
  await world.post(endpoint, await steps.execute(id, done));
  expect(await steps.settlementsOf(id)).toMatchObject([
    {
      coin: 'BTC',
      coin_amount: '9.990000000000000000',
      amount,
      currency: 'USD',
      status: 'pending',
    },
  ]);
});

test('the settlement of a trade is due two business days after its execution, in UTC', async () => {
  const { id } = await steps.trade();
  await world.walk('trade_request', id, ['approved']);
  // The execution is on a Thursday, so that the two business days include a weekend.
  await world.post(endpoint, await steps.execute(id, { executed_quantity: 1, executed_price: 1 }));
  expect((await steps.settlementsOf(id))[0]?.due_on).toBe('2026-01-05');
});

test('twenty events of one executed trade at the same time create one settlement', async () => {
  const { id } = await steps.trade();
  await world.walk('trade_request', id, ['approved']);
  const event = await steps.execute(id, { executed_quantity: 2, executed_price: 100 });
  const answers = await world.postTwentyTimes(endpoint, event, 'trade_request', id);
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(await steps.settlementsOf(id)).toHaveLength(1);
});

test('an executed trade without a price is reported, and no settlement is created for it', async () => {
  const { id } = await steps.trade({ quantity: '4.2424' });
  await world.walk('trade_request', id, ['approved']);
  await world.post(endpoint, await steps.execute(id, { executed_quantity: 2 }));
  expect(await steps.settlementsOf(id)).toEqual([]);
  const title = 'A trade cannot be settled as it was executed';
  expect(await world.countNotified('accounting', title, '4.2424')).toBeGreaterThan(0);
});

test('settlements of a trade that was not carried out are cancelled', async () => {
  const { id, organization } = await steps.trade();
  const settlement = await world.insert('trade_settlement', {
    organization_id: organization,
    trade_request_id: id,
    coin: 'BTC',
    coin_amount: 1,
    amount: 1,
  });
  await world.post(endpoint, await world.walk('trade_request', id, ['cancelled']));
  expect(await world.statusOf('trade_settlement', settlement.id)).toBe('cancelled');
});

test('a late event of an earlier status causes no notification, and the current status takes effect', async () => {
  const { id, person } = await steps.trade();
  const submitted = await world.walk('trade_request', id, ['approved']);
  await steps.execute(id, { executed_quantity: 2, executed_price: 100 });
  await world.post(endpoint, submitted);
  expect(await world.notifications(person)).toEqual([]);
  expect(await steps.settlementsOf(id)).toHaveLength(1);
});

test('the event of a trade request that was deleted has no effect', async () => {
  const { id } = await steps.trade({ status: 'draft' });
  const event = await world.walk('trade_request', id, ['submitted']);
  await world.owner.query('delete from public.trade_request where id = $1', [id]);
  expect((await world.post(endpoint, event)).body).toEqual({ duplicate: false, outcome: 'gone' });
});

test('a hold that compliance sets on a trade request is not reported to the person', async () => {
  const { id, person, admin } = await steps.trade();
  await world.post(endpoint, await world.walk('trade_request', id, ['locked']));
  expect([...(await world.notifications(person)), ...(await world.notifications(admin))]).toEqual(
    [],
  );
});

test('a trade request that is approved while its wallet is locked is put on hold, and books nothing', async () => {
  const { id, walletId } = await steps.trade({ side: 'sell' });
  await world.walk('digital_wallet', walletId, ['locked']);
  const event = await world.walk('trade_request', id, ['approved']);
  expect((await world.post(endpoint, event)).body.outcome).toBe('locked');
  expect(await reasonOf(id)).toBe('The wallet is locked');
  await world.post(
    'on-digital-wallet-update',
    await world.walk('digital_wallet', walletId, ['active']),
  );
  expect(await world.statusOf('trade_request', id)).toBe('submitted');
});

test.each(['rejected', 'expired', 'locked'])(
  'a trade request of a person whose verification is %s is put on hold without a notification',
  async (status) => {
    const { id, organization, person } = await steps.trade({ status: 'draft' });
    await world.insert('kyc_profile', { organization_id: organization, user_id: person, status });
    await world.post(endpoint, await world.walk('trade_request', id, ['submitted']));
    expect(await world.statusOf('trade_request', id)).toBe('locked');
    expect(await reasonOf(id)).toBe(`Verification ${status}`);
    expect(await world.notifications(person)).toEqual([]);
  },
);

test('a trade request with two reasons to be on hold stays on hold when one of them ends', async () => {
  const { id, organization, person, walletId } = await steps.trade();
  const profile = { organization_id: organization, user_id: person, status: 'in_review' };
  const { id: profileId } = await world.insert('kyc_profile', profile);
  await world.post(
    'on-kyc-profile-update',
    await world.walk('kyc_profile', profileId, ['rejected']),
  );
  await world.walk('digital_wallet', walletId, ['locked']);
  const path = ['pending', 'in_review', 'approved'];
  await world.post('on-kyc-profile-update', await world.walk('kyc_profile', profileId, path));
  expect(await world.statusOf('trade_request', id)).toBe('submitted');
  const moved = [
    { id, status: 'locked' },
    { id, status: 'submitted' },
  ] as const;
  await world.post(endpoint, payloadOf('trade_request', 'UPDATE', ...moved));
  expect(await reasonOf(id)).toBe('The wallet is locked');
});

async function reasonOf(id: string): Promise<string> {
  const select = 'select status_reason from public.trade_request where id = $1';
  return (await world.row(select, [id])).status_reason;
}
