import { afterAll, beforeAll, expect, test } from 'vitest';
import { payloadOf, type Row } from './support/payload.ts';
import { openTriggerWorld, type TriggerWorld } from './support/trigger-world.ts';

let world: TriggerWorld;
beforeAll(async () => {
  world = await openTriggerWorld({ ROWGATE_LARGE_TRANSACTION_USD: '5000' });
  await world.owner.query(
    `insert into public.coin_price (coin, quoted_at, price, source)
     values ('ELM', now() - interval '1 hour', 1, 'test'), ('ELM', now(), 1000.005, 'test')`,
  );
});
afterAll(() => world.close());

/** Inserts a wallet with an open trade request and an open withdrawal. */
async function wallet(values: Row = {}) {
  const client = await world.client();
  const { id } = await world.wallet(client.organization, { user_id: client.person, ...values });
  const request = {
    organization_id: client.organization,
    digital_wallet_id: id,
    status: 'approved',
  };
  const trade = await world.insert('trade_request', { ...request, quantity: 1 });
  const withdrawal = await world.insert('fiat_withdrawal_request', { ...request, amount: 1 });
  const statuses = async () => [
    await world.statusOf('trade_request', trade.id),
    await world.statusOf('fiat_withdrawal_request', withdrawal.id),
  ];
  return { ...client, id: String(id), statuses };
}

/** Inserts a transaction of a wallet and returns its event. */
async function moved(organization: string, walletId: string, values: Row) {
  const transaction = await world.insert('asset_transaction', {
    organization_id: organization,
    digital_wallet_id: walletId,
    coin: 'BTC',
    status: 'confirmed',
    ...values,
  });
  return payloadOf('asset_transaction', 'INSERT', null, { id: transaction.id });
}

async function worth(id: string) {
  return world.row(
    'select trim_scale(balance)::text as balance, usd_value from public.digital_wallet where id = $1',
    [id],
  );
}

test('requests on a wallet are put on hold when it is locked, and released when it is active again', async () => {
  const { id, person, statuses } = await wallet();
  const { body } = await world.post(
    'on-digital-wallet-update',
    await world.walk('digital_wallet', id, ['locked']),
  );
  expect(body).toMatchObject({ outcome: 'locked', requests: 2 });
  expect(await statuses()).toEqual(['locked', 'locked']);
  await world.post('on-digital-wallet-update', await world.walk('digital_wallet', id, ['active']));
  expect(await statuses()).toEqual(['submitted', 'submitted']);
  expect(await world.notifications(person)).toEqual([
    'A wallet is locked',
    'A wallet is no longer locked',
  ]);
});

test('requests on a wallet are cancelled when it is archived', async () => {
  const { id, statuses } = await wallet();
  await world.post(
    'on-digital-wallet-update',
    await world.walk('digital_wallet', id, ['archived']),
  );
  expect(await statuses()).toEqual(['cancelled', 'cancelled']);
});

test("changes of a wallet of an organization are reported to the organization's administrators", async () => {
  const { id, admin } = await wallet({ user_id: null });
  await world.post(
    'on-digital-wallet-update',
    await world.walk('digital_wallet', id, ['archived']),
  );
  expect(await world.notifications(admin)).toEqual(['A wallet was archived']);
});

test('a changed wallet gets its value at the newest price, and a value that is already right is not written again', async () => {
  const { id } = await wallet({ coin: 'ELM', balance: '2' });
  const { body } = await world.post(
    'on-digital-wallet-update',
    await world.change('digital_wallet', id, { label: 'Renamed' }),
  );
  expect(body.valued).toBe(true);
  expect((await worth(id)).usd_value).toBe('2000.01');
  const again = await world.change('digital_wallet', id, { label: 'Again' });
  expect((await world.post('on-digital-wallet-update', again)).body.valued).toBe(false);
});

test('a changed wallet keeps its value when its coin has no price', async () => {
  const { id } = await wallet({ coin: 'NONE', balance: 2, usd_value: 5 });
  const event = await world.change('digital_wallet', id, { label: 'Renamed' });
  await world.post('on-digital-wallet-update', event);
  expect((await worth(id)).usd_value).toBe('5.00');
});

test("when a wallet's address changes, address book entries with the old address are locked, and others are not", async () => {
  const { id, organization, admin } = await wallet({ address: 'bc1-former' });
  const entry = { organization_id: organization, coin: 'BTC', status: 'active' };
  const former = await world.insert('address_book_entry', { ...entry, address: 'bc1-former' });
  const other = await world.insert('address_book_entry', { ...entry, address: 'bc1-other' });
  const event = await world.change('digital_wallet', id, { address: 'bc1-new' });
  await world.post('on-digital-wallet-update', event);
  expect(await world.statusOf('address_book_entry', former.id)).toBe('locked');
  expect(await world.statusOf('address_book_entry', other.id)).toBe('active');
  expect(await world.notifications(admin)).toEqual(['Entries of the address book were locked']);
});

test.each([
  ['in', '15.5', '1.5 ELM came in'],
  ['out', '12.25', '1.5 ELM went out'],
])(
  'a confirmed transaction %s changes the balance to %s, and is reported',
  async (direction, balance, title) => {
    const { id, organization, person } = await wallet({ coin: 'ELM', balance: '14' });
    const values = { coin: 'ELM', direction, amount: '1.5', fee: '0.25' };
    const { body } = await world.post(
      'on-asset-transaction-insert',
      await moved(organization, id, values),
    );
    expect(body).toMatchObject({ outcome: 'confirmed', counted: true });
    expect(await worth(id)).toEqual({
      balance,
      usd_value: balance === '15.5' ? '15500.08' : '12250.06',
    });
    expect(await world.notifications(person)).toEqual([title]);
  },
);

test('twenty events of one transaction at the same time change the balance once', async () => {
  const { id, organization } = await wallet();
  const event = await moved(organization, id, { amount: 1 });
  const answers = await world.postTwentyTimes(
    'on-asset-transaction-insert',
    event,
    'digital_wallet',
    id,
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect((await worth(id)).balance).toBe('1');
});

test('twenty transactions of one wallet at the same time all change the balance', async () => {
  const { id, organization } = await wallet();
  const events = [];
  for (let index = 0; index < 20; index += 1) {
    events.push(await moved(organization, id, { amount: '0.000000000000000001' }));
  }
  await Promise.all(events.map((event) => world.post('on-asset-transaction-insert', event)));
  expect((await worth(id)).balance).toBe('0.00000000000000002');
});

test('a transaction that makes a balance negative is counted, and reported to the accounting role once', async () => {
  const { id, organization } = await wallet({ label: 'Beech Vault', balance: 10 });
  const countNotifications = () =>
    world.countNotified('accounting', 'A wallet fell below zero', 'Beech Vault: -40.5 BTC');
  const out = { direction: 'out', amount: '50', fee: '0.5' };
  await world.post('on-asset-transaction-insert', await moved(organization, id, out));
  expect((await worth(id)).balance).toBe('-40.5');
  const people = await countNotifications();
  expect(people).toBeGreaterThan(0);
  const title = 'A wallet fell below zero';
  await world.post('on-asset-transaction-insert', await moved(organization, id, out));
  expect((await worth(id)).balance).toBe('-91');
  expect(await world.countNotified('accounting', title, 'Beech Vault')).toBe(people);
});

test('a transaction that empties a wallet is reported only to the owner', async () => {
  const { id, organization } = await wallet({ label: 'Empty Vault', balance: 10 });
  const event = await moved(organization, id, { direction: 'out', amount: 10 });
  await world.post('on-asset-transaction-insert', event);
  expect((await worth(id)).balance).toBe('0');
  expect(await world.countNotified('accounting', 'A wallet fell below zero', 'Empty Vault')).toBe(
    0,
  );
});

test('a transaction that awaits approval is reported to the people who may approve it, and not counted', async () => {
  const { id, organization } = await wallet({ balance: 5 });
  const event = await moved(organization, id, {
    direction: 'out',
    amount: '1.618',
    status: 'pending_approval',
  });
  await world.post('on-asset-transaction-insert', event);
  expect((await worth(id)).balance).toBe('5');
  const title = 'A transaction waits for approval';
  expect(await world.countNotified('digital_wallets_admin', title, '1.618')).toBeGreaterThan(0);
});

test.each([
  ['4.999', false],
  ['5', true],
])(
  'a transaction of %s coins at 1000 dollars each counts as large and is reported to compliance: %s',
  async (amount, large) => {
    const { id, organization } = await wallet({ coin: 'ELM' });
    const event = await moved(organization, id, { coin: 'ELM', amount });
    const { body } = await world.post('on-asset-transaction-insert', event);
    expect(body.large).toBe(large);
    const said = `${amount} ELM into`;
    expect((await world.countNotified('compliance', 'A large transaction', said)) > 0).toBe(large);
  },
);

test('the notification of a large transaction names the amount, the wallet, its owner and the value', async () => {
  const { person, organization } = await world.client();
  const { id } = await world.wallet(organization, {
    user_id: person,
    coin: 'USDC',
    label: 'Beech Vault',
  });
  const event = await moved(organization, String(id), {
    coin: 'USDC',
    amount: '1250000.5',
    usd_value: '1250000.50',
  });
  await world.post('on-asset-transaction-insert', event);
  const said =
    '1,250,000.5 USDC into Beech Vault of Eva investor, Elm & Söhne, worth about US$1,250,000.50. Transaction ';
  expect(await world.countNotified('compliance', 'A large transaction', said)).toBeGreaterThan(0);
});

test("a transaction in another coin than its wallet's is reported and not counted", async () => {
  const { id, organization } = await wallet({ balance: 5 });
  const event = await moved(organization, id, { coin: 'ODD', amount: 1 });
  const { body } = await world.post('on-asset-transaction-insert', event);
  expect(body.counted).toBe(false);
  expect((await worth(id)).balance).toBe('5');
  const title = 'A transaction is of another coin than its wallet';
  expect(await world.countNotified('digital_wallets_admin', title, 'ODD')).toBeGreaterThan(0);
});

test('a transaction with an amount too large for the dollar column is counted without a dollar value', async () => {
  const { organization, id } = await wallet({ coin: 'ELM' });
  const huge = { coin: 'ELM', amount: '12345678901234567890' };
  const { status } = await world.post(
    'on-asset-transaction-insert',
    await moved(organization, id, huge),
  );
  expect(status).toBe(200);
  expect(await worth(id)).toEqual({ balance: huge.amount, usd_value: '0.00' });
});
