import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTriggerWorld, type Row, type TriggerWorld } from './support/trigger-world.ts';

let world: TriggerWorld;
beforeAll(async () => {
  world = await openTriggerWorld();
});
afterAll(() => world.close());

const endpoint = 'on-trade-request-update';

/** A client with a wallet of 10 BTC and a submitted request for 2 of them, and a quote if asked for. */
async function trade(values: Row = {}, wallet: Row = {}) {
  const client = await world.client();
  const { id: walletId } = await world.wallet(client.organization, { balance: 10, ...wallet });
  const { id } = await world.insert('trade_request', {
    organization_id: client.organization,
    user_id: client.person,
    digital_wallet_id: walletId,
    quantity: '2',
    status: 'submitted',
    ...values,
  });
  return { ...client, id: String(id), walletId: String(walletId) };
}

async function quoteFor(organization: string, values: Row = {}): Promise<string> {
  const quote = {
    organization_id: organization,
    quantity: 2,
    price: 100,
    status: 'quoted',
    ...values,
  };
  return (await world.insert('otc_quote', quote)).id;
}

/** Executes an approved request at a price, and returns the event. */
async function execute(id: string, values: Row) {
  return world.change('trade_request', id, {
    status: 'executed',
    executed_at: '2026-01-01T23:30:00Z',
    ...values,
  });
}

async function settlementsOf(id: string) {
  return world.rows(
    `select coin, coin_amount::text, amount::text, currency, status, due_on::text
     from public.trade_settlement where trade_request_id = $1`,
    [id],
  );
}

/** The trade's settlement on its way to a status; returns the event of the last step. */
async function settle(id: string, path: readonly string[]) {
  const { id: settlement } = await world.row(
    `select id from public.trade_settlement where trade_request_id = $1 and status <> 'cancelled'`,
    [id],
  );
  return {
    settlement: String(settlement),
    event: await world.walk('trade_settlement', settlement, path),
  };
}

async function balanceOf(wallet: string): Promise<string> {
  const { balance } = await world.row(
    'select trim_scale(balance)::text as balance from public.digital_wallet where id = $1',
    [wallet],
  );
  return balance;
}

test('a request that is handed in is told to the person and to those who approve', async () => {
  const { id, person } = await trade({ status: 'draft', quantity: '1.23456789' });
  await world.post(endpoint, await world.walk('trade_request', id, ['submitted']));
  expect(await world.told(person)).toEqual(['Your trade request was received']);
  const waiting = 'A trade request waits for approval';
  expect(await world.toldRole('front_office', waiting, '1.23456789')).toBeGreaterThan(0);
});

test('a request of a fund is told to the signatories of that fund alone', async () => {
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
  expect(await world.told(signatory)).toEqual(['A trade request waits for approval']);
  expect(await world.told(other)).toEqual([]);
});

test('an approved request accepts its quote', async () => {
  const { id, organization, person } = await trade();
  const quote = await quoteFor(organization);
  await world.change('trade_request', id, { otc_quote_id: quote });
  await world.post(endpoint, await world.walk('trade_request', id, ['approved']));
  expect(await world.statusOf('otc_quote', quote)).toBe('accepted');
  expect(await world.told(person)).toEqual(['Your trade request was approved']);
});

test('a quote that has run out ends the request that names it', async () => {
  const { id, organization } = await trade();
  const quote = await quoteFor(organization, { expires_at: '2020-01-01' });
  await world.change('trade_request', id, { otc_quote_id: quote });
  const { body } = await world.post(endpoint, await world.walk('trade_request', id, ['approved']));
  expect(body.quote).toBe('gone');
  expect(await world.statusOf('otc_quote', quote)).toBe('expired');
  expect(await world.statusOf('trade_request', id)).toBe('expired');
});

test('of two requests that are approved for one quote at once, one takes it and the other is turned down', async () => {
  const one = await trade();
  const quote = await quoteFor(one.organization);
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

test.each([
  ['a purchase costs the fee besides', 'buy', '12344.95'],
  ['a sale brings the fee less', 'sell', '12321.55'],
])('%s', async (_title, side, amount) => {
  const { id } = await trade({ side, quantity: 10, fee: '11.70' });
  await world.walk('trade_request', id, ['approved']);
  // 12333.2544 before the fee.
  const done = { executed_quantity: '9.99', executed_price: '1234.56' };
  await world.post(endpoint, await execute(id, done));
  expect(await settlementsOf(id)).toMatchObject([
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
  const { id } = await trade();
  await world.walk('trade_request', id, ['approved']);
  // A Thursday, so that the weekend lies between.
  await world.post(endpoint, await execute(id, { executed_quantity: 1, executed_price: 1 }));
  expect((await settlementsOf(id))[0]?.due_on).toBe('2026-01-05');
});

test('no digit of a coin’s amount is lost on the way to the balance', async () => {
  const { id, walletId } = await trade({ quantity: '0.123456789012345678' });
  await world.walk('trade_request', id, ['approved']);
  const done = { executed_quantity: '0.123456789012345678', executed_price: '100000' };
  await world.post(endpoint, await execute(id, done));
  await world.post(
    'on-trade-settlement-update',
    (await settle(id, ['processing', 'settled'])).event,
  );
  expect(await balanceOf(walletId)).toBe('10.123456789012345678');
});

test('twenty events of an executed trade at once enter one settlement', async () => {
  const { id } = await trade();
  await world.walk('trade_request', id, ['approved']);
  const event = await execute(id, { executed_quantity: 2, executed_price: 100 });
  const answers = await world.crowd(endpoint, event, 'trade_request', id);
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(await settlementsOf(id)).toHaveLength(1);
});

test('a trade without a price is reported, and nothing is made up', async () => {
  const { id } = await trade({ quantity: '4.2424' });
  await world.walk('trade_request', id, ['approved']);
  await world.post(endpoint, await execute(id, { executed_quantity: 2 }));
  expect(await settlementsOf(id)).toEqual([]);
  const title = 'A trade cannot be settled as it was executed';
  expect(await world.toldRole('accounting', title, '4.2424')).toBeGreaterThan(0);
});

test.each(['cancelled', 'rejected', 'expired'])(
  'a request that is %s gives its quote back, and says so',
  async (end) => {
    const { id, organization, person } = await trade();
    const quote = await quoteFor(organization);
    await world.change('trade_request', id, { otc_quote_id: quote });
    await world.post(endpoint, await world.walk('trade_request', id, ['approved']));
    await world.post(endpoint, await world.walk('trade_request', id, [end]));
    expect(await world.statusOf('otc_quote', quote)).toBe('quoted');
    expect(await world.told(person)).toHaveLength(2);
  },
);

test('a request that never took a quote does not give away another’s', async () => {
  const { id, organization } = await trade();
  const quote = await quoteFor(organization);
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

test('settlements of a trade that came to nothing are cancelled', async () => {
  const { id, organization } = await trade();
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

test.each([
  ['buy', 'BTC', '12'],
  ['sell', 'BTC', '8'],
  // 2 × 100 and a fee of 1.5.
  ['buy', 'USDC', '-191.5'],
  ['sell', 'USDC', '208.5'],
])('settled, to %s moves a wallet of %s from 10 to %s', async (side, coin, balance) => {
  const { id, walletId, organization } = await trade({ side, fee: '1.50' }, { coin });
  const quote = await quoteFor(organization);
  await world.change('trade_request', id, { otc_quote_id: quote });
  await world.post(endpoint, await world.walk('trade_request', id, ['approved']));
  await world.post(endpoint, await execute(id, { executed_quantity: 2, executed_price: 100 }));
  const { settlement, event } = await settle(id, ['processing', 'settled']);
  const { body } = await world.post('on-trade-settlement-update', event);
  expect(body).toMatchObject({ outcome: 'settled', counted: true, trade: 'moved' });
  expect(await balanceOf(walletId)).toBe(balance);
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
  const { id, walletId } = await trade();
  await world.walk('trade_request', id, ['approved']);
  await world.post(endpoint, await execute(id, { executed_quantity: 2, executed_price: 100 }));
  const { event } = await settle(id, ['processing', 'settled']);
  const name = 'on-trade-settlement-update';
  const answers = await world.crowd(name, event, 'digital_wallet', walletId);
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(await balanceOf(walletId)).toBe('12');
});

test('a trade is settled when the last of its settlements is', async () => {
  const { id, organization } = await trade();
  await world.walk('trade_request', id, ['approved']);
  await world.post(endpoint, await execute(id, { executed_quantity: 2, executed_price: 100 }));
  const { event } = await settle(id, ['processing', 'settled']);
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
  const { id, walletId } = await trade({ quantity: '3.1415' });
  await world.walk('trade_request', id, ['approved']);
  await world.post(
    endpoint,
    await execute(id, { executed_quantity: '3.1415', executed_price: 100 }),
  );
  const { event } = await settle(id, ['processing', 'failed']);
  await world.post('on-trade-settlement-update', event);
  expect(await world.toldRole('trader', 'A settlement failed', '3.1415')).toBeGreaterThan(0);
  expect(await world.toldRole('accounting', 'A settlement failed', '3.1415')).toBeGreaterThan(0);
  expect(await balanceOf(walletId)).toBe('10');
});

test('an event of a status that the request has left tells nobody, and does what the new one asks for', async () => {
  const { id, person } = await trade();
  const submitted = await world.walk('trade_request', id, ['approved']);
  await execute(id, { executed_quantity: 2, executed_price: 100 });
  await world.post(endpoint, submitted);
  expect(await world.told(person)).toEqual([]);
  expect(await settlementsOf(id)).toHaveLength(1);
});

test('the event of a row that is gone does nothing', async () => {
  const { id } = await trade({ status: 'draft' });
  const event = await world.walk('trade_request', id, ['submitted']);
  await world.owner.query('delete from public.trade_request where id = $1', [id]);
  expect((await world.post(endpoint, event)).body).toEqual({ duplicate: false, outcome: 'gone' });
});

test('a hold by compliance is told to nobody', async () => {
  const { id, person, admin } = await trade();
  await world.post(endpoint, await world.walk('trade_request', id, ['locked']));
  expect([...(await world.told(person)), ...(await world.told(admin))]).toEqual([]);
});
