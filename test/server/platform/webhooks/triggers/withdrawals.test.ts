import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Row } from './support/payload.ts';
import { openTriggerWorld, type TriggerWorld } from './support/trigger-world.ts';

let world: TriggerWorld;
beforeAll(async () => {
  world = await openTriggerWorld();
});
afterAll(() => world.close());

const endpoint = 'on-fiat-withdrawal-request-update';

/** Creates a person with a wallet of 100 USDC. */
async function client(wallet: Row = {}) {
  const people = await world.client();
  const { id: walletId } = await world.wallet(people.organization, {
    user_id: people.person,
    coin: 'USDC',
    balance: 100,
    ...wallet,
  });
  return { ...people, walletId: String(walletId) };
}

/** Inserts a submitted withdrawal of 59.50 USD with a fee of 0.50. */
async function withdrawal(
  of: { organization: string; person: string; walletId: string },
  values: Row = {},
) {
  const { id } = await world.insert('fiat_withdrawal_request', {
    organization_id: of.organization,
    user_id: of.person,
    digital_wallet_id: of.walletId,
    amount: '59.50',
    fee: '0.50',
    status: 'submitted',
    ...values,
  });
  return String(id);
}

async function transactionsOf(wallet: string) {
  return world.rows(
    `select trim_scale(amount)::text as amount, status, direction from public.asset_transaction
     where digital_wallet_id = $1 order by created_at, id`,
    [wallet],
  );
}

async function balanceOf(wallet: string): Promise<string> {
  const { balance } = await world.row(
    'select trim_scale(balance)::text as balance from public.digital_wallet where id = $1',
    [wallet],
  );
  return balance;
}

const step = (id: string, ...path: string[]) => world.walk('fiat_withdrawal_request', id, path);

test('an approved withdrawal reserves its amount and fee in the wallet, and its payment begins', async () => {
  const of = await client();
  const id = await withdrawal(of);
  const { body } = await world.post(endpoint, await step(id, 'approved'));
  expect(body).toMatchObject({ outcome: 'processing', reservation: 'reserved' });
  expect(await transactionsOf(of.walletId)).toEqual([
    { amount: '60', status: 'pending', direction: 'out' },
  ]);
  expect(await balanceOf(of.walletId)).toBe('100');
  expect(await world.notifications(of.person)).toEqual(['Your withdrawal is being paid out']);
});

test('a completed withdrawal reduces the balance once, and the person gets a mail', async () => {
  const of = await client();
  const id = await withdrawal(of);
  await world.post(endpoint, await step(id, 'approved'));
  const event = await step(id, 'completed');
  const answers = await world.postTwentyTimes(endpoint, event, 'digital_wallet', of.walletId);
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(await balanceOf(of.walletId)).toBe('40');
  expect(await transactionsOf(of.walletId)).toMatchObject([{ status: 'confirmed' }]);
  expect(await world.mails(`withdrawal-completed/${id}`)).toHaveLength(1);
  expect(await world.notifications(of.person)).toContain('Your withdrawal was paid out');
});

test('a failed withdrawal releases the reserved money', async () => {
  const of = await client();
  const id = await withdrawal(of);
  await world.post(endpoint, await step(id, 'approved'));
  await world.post(endpoint, await step(id, 'failed'));
  expect(await balanceOf(of.walletId)).toBe('100');
  expect(await transactionsOf(of.walletId)).toMatchObject([{ status: 'failed' }]);
  expect(await world.mails(`withdrawal-failed/${id}`)).toHaveLength(1);
});

test.each([
  ['of more money than the wallet holds', { amount: '99.51' }, {}, 'The balance is not sufficient'],
  [
    "in another currency than the wallet's coin",
    { currency: 'EUR' },
    {},
    'The wallet holds no stable coin of the currency',
  ],
  ['from a locked wallet', {}, { status: 'locked' }, 'The wallet is not active'],
])('a withdrawal %s is rejected with the reason', async (_title, values, wallet, reason) => {
  const of = await client(wallet);
  const id = await withdrawal(of, values);
  await world.post(endpoint, await step(id, 'approved'));
  expect(
    await world.row(
      'select status, status_reason from public.fiat_withdrawal_request where id = $1',
      [id],
    ),
  ).toEqual({ status: 'rejected', status_reason: reason });
  expect(await world.notifications(of.person)).toEqual(['Your withdrawal was turned down']);
});

test('a withdrawal may take the last cent of a wallet', async () => {
  const of = await client();
  const id = await withdrawal(of, { amount: '99.50' });
  await world.post(endpoint, await step(id, 'approved'));
  expect(await world.statusOf('fiat_withdrawal_request', id)).toBe('processing');
});

test('of two withdrawals at the same time, when the balance is enough for one, one is paid and the other is rejected', async () => {
  const of = await client();
  const ids = [await withdrawal(of), await withdrawal(of)];
  const events = [];
  for (const id of ids) events.push(await step(id, 'approved'));
  await Promise.all(events.map((event) => world.post(endpoint, event)));
  const statuses = [];
  for (const id of ids) statuses.push(await world.statusOf('fiat_withdrawal_request', id));
  expect(statuses.sort()).toEqual(['processing', 'rejected']);
});

test('a withdrawal that compliance put on hold and finance approved again reserves its amount once', async () => {
  const of = await client();
  const id = await withdrawal(of);
  const approved = await step(id, 'approved');
  await step(id, 'locked');
  await world.post(endpoint, approved);
  expect(await transactionsOf(of.walletId)).toEqual([]);
  await world.post(endpoint, await step(id, 'submitted', 'approved'));
  expect(await transactionsOf(of.walletId)).toMatchObject([{ status: 'pending' }]);
});

test('a paid withdrawal reduces the balance also when earlier events were missed', async () => {
  const of = await client();
  const id = await withdrawal(of);
  await step(id, 'approved', 'processing');
  await world.post(endpoint, await step(id, 'completed'));
  expect(await balanceOf(of.walletId)).toBe('40');
});

test('a paid withdrawal above the balance is reported to the accounting role, and the balance does not become negative', async () => {
  const of = await client({ balance: 10 });
  const id = await withdrawal(of, { amount: '27.18' });
  await step(id, 'approved', 'processing');
  await world.post(endpoint, await step(id, 'completed'));
  const title = 'A withdrawal was paid out without cover';
  expect(await world.countNotified('accounting', title, '27.18')).toBeGreaterThan(0);
  expect(await balanceOf(of.walletId)).toBe('10');
});

test('a withdrawal without a wallet is paid without a reservation', async () => {
  const of = await client();
  const id = await withdrawal(of, { digital_wallet_id: null });
  await world.post(endpoint, await step(id, 'approved'));
  expect(await world.statusOf('fiat_withdrawal_request', id)).toBe('processing');
  expect(await transactionsOf(of.walletId)).toEqual([]);
});

test('a submitted withdrawal is reported to the accounting role', async () => {
  const of = await client();
  const id = await withdrawal(of, { status: 'draft', amount: '31.41' });
  await world.post(endpoint, await step(id, 'submitted'));
  const title = 'A withdrawal waits for approval';
  expect(await world.countNotified('accounting', title, '31.41')).toBeGreaterThan(0);
  expect(await world.notifications(of.person)).toEqual(['Your withdrawal was received']);
});

test('a withdrawal cannot use money that outgoing transactions will take but have not yet', async () => {
  const of = await client();
  await world.insert('asset_transaction', {
    organization_id: of.organization,
    digital_wallet_id: of.walletId,
    coin: 'USDC',
    amount: 50,
    direction: 'out',
    status: 'confirmed',
  });
  const id = await withdrawal(of);
  await world.post(endpoint, await step(id, 'approved'));
  expect(await world.statusOf('fiat_withdrawal_request', id)).toBe('rejected');
});

test('outgoing transactions in another coin do not reduce what a withdrawal can use', async () => {
  const of = await client();
  await world.insert('asset_transaction', {
    organization_id: of.organization,
    digital_wallet_id: of.walletId,
    coin: 'BTC',
    amount: 50,
    direction: 'out',
    status: 'pending',
  });
  const id = await withdrawal(of);
  await world.post(endpoint, await step(id, 'approved'));
  expect(await world.statusOf('fiat_withdrawal_request', id)).toBe('processing');
});

test('a withdrawal of a person whose verification was rejected is put on hold', async () => {
  const of = await client();
  await world.insert('kyc_profile', {
    organization_id: of.organization,
    user_id: of.person,
    status: 'rejected',
  });
  const id = await withdrawal(of);
  await world.post(endpoint, await step(id, 'approved'));
  expect(await world.statusOf('fiat_withdrawal_request', id)).toBe('locked');
  expect(await transactionsOf(of.walletId)).toEqual([]);
});

test('a withdrawal fails with the reason when the balance is too low at the moment when its payment begins', async () => {
  const of = await client({ balance: 1 });
  const id = await withdrawal(of);
  await world.post(endpoint, await step(id, 'approved', 'processing'));
  expect(
    await world.row(
      'select status, status_reason from public.fiat_withdrawal_request where id = $1',
      [id],
    ),
  ).toEqual({ status: 'failed', status_reason: 'The balance is not sufficient' });
  expect(await transactionsOf(of.walletId)).toEqual([]);
});
