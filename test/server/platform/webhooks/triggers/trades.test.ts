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

test('a submitted request is reported to the requester and to the approvers', async () => {
  const { id, person } = await steps.trade({ status: 'draft', quantity: '1.23456789' });
  await world.post(endpoint, await world.walk('trade_request', id, ['submitted']));
  expect(await world.notifications(person)).toEqual(['Your trade request was received']);
  const waiting = 'A trade request waits for approval';
  expect(await world.countNotified('front_office', waiting, '1.23456789')).toBeGreaterThan(0);
});

test('a request of a fund is reported to the signatories of that fund only', async () => {
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
  ['a purchase costs the fee besides', 'buy', '12344.95'],
  ['a sale brings the fee less', 'sell', '12321.55'],
])('%s', async (_title, side, amount) => {
  const { id } = await steps.trade({ side, quantity: 10, fee: '11.70' });
  await world.walk('trade_request', id, ['approved']);
  // The value before the fee is 12333.2544.
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

test('a settlement is due two business days after the execution, in UTC', async () => {
  const { id } = await steps.trade();
  await world.walk('trade_request', id, ['approved']);
  // The day is a Thursday, so that a weekend follows.
  await world.post(endpoint, await steps.execute(id, { executed_quantity: 1, executed_price: 1 }));
  expect((await steps.settlementsOf(id))[0]?.due_on).toBe('2026-01-05');
});

test('twenty events of an executed trade at once enter one settlement', async () => {
  const { id } = await steps.trade();
  await world.walk('trade_request', id, ['approved']);
  const event = await steps.execute(id, { executed_quantity: 2, executed_price: 100 });
  const answers = await world.postTwentyTimes(endpoint, event, 'trade_request', id);
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(await steps.settlementsOf(id)).toHaveLength(1);
});

test('a trade without a price is reported, and nothing is made up', async () => {
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

test('an event of an earlier status notifies no one, and applies the current status', async () => {
  const { id, person } = await steps.trade();
  const submitted = await world.walk('trade_request', id, ['approved']);
  await steps.execute(id, { executed_quantity: 2, executed_price: 100 });
  await world.post(endpoint, submitted);
  expect(await world.notifications(person)).toEqual([]);
  expect(await steps.settlementsOf(id)).toHaveLength(1);
});

test('the event of a deleted row has no effect', async () => {
  const { id } = await steps.trade({ status: 'draft' });
  const event = await world.walk('trade_request', id, ['submitted']);
  await world.owner.query('delete from public.trade_request where id = $1', [id]);
  expect((await world.post(endpoint, event)).body).toEqual({ duplicate: false, outcome: 'gone' });
});

test('a hold by compliance is not reported', async () => {
  const { id, person, admin } = await steps.trade();
  await world.post(endpoint, await world.walk('trade_request', id, ['locked']));
  expect([...(await world.notifications(person)), ...(await world.notifications(admin))]).toEqual(
    [],
  );
});

test('a request that is approved while its wallet is locked is held, and books nothing', async () => {
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
  'a request of a person whose verification is %s is held, without a notification',
  async (status) => {
    const { id, organization, person } = await steps.trade({ status: 'draft' });
    await world.insert('kyc_profile', { organization_id: organization, user_id: person, status });
    await world.post(endpoint, await world.walk('trade_request', id, ['submitted']));
    expect(await world.statusOf('trade_request', id)).toBe('locked');
    expect(await reasonOf(id)).toBe(`Verification ${status}`);
    expect(await world.notifications(person)).toEqual([]);
  },
);

test('a request that is released for one reason stays held for another', async () => {
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
