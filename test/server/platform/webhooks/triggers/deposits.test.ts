import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Row } from './support/payload.ts';
import { openTriggerWorld, type TriggerWorld } from './support/trigger-world.ts';

let world: TriggerWorld;
beforeAll(async () => {
  world = await openTriggerWorld({ ROWGATE_BANK_ACCOUNT: 'IBAN: GB19 DEMO 0000 0000 0000 01' });
});
afterAll(() => world.close());

const endpoint = 'on-fiat-deposit-request-update';

/**
 * Inserts a submitted deposit of 1000.10 USD with a fee of 0.10, into a wallet that holds 5 USDC.
 */
async function deposit(values: Row = {}, wallet: Row = {}) {
  const client = await world.client();
  const { id: walletId } = await world.wallet(client.organization, {
    user_id: client.person,
    coin: 'USDC',
    balance: 5,
    ...wallet,
  });
  const row = await world.insert('fiat_deposit_request', {
    organization_id: client.organization,
    user_id: client.person,
    digital_wallet_id: walletId,
    amount: '1000.10',
    fee: '0.10',
    status: 'submitted',
    ...values,
  });
  return {
    ...client,
    id: String(row.id),
    walletId: String(walletId),
    reference: String(row.bank_reference),
  };
}

async function balanceOf(wallet: string): Promise<string> {
  const { balance } = await world.row(
    'select trim_scale(balance)::text as balance from public.digital_wallet where id = $1',
    [wallet],
  );
  return balance;
}

test('an approved deposit causes a mail with the account and the reference that the person needs for the bank transfer', async () => {
  const { id, person, reference } = await deposit();
  await world.post(endpoint, await world.walk('fiat_deposit_request', id, ['approved']));
  const [mail] = await world.mails(`deposit-approved/${id}`);
  expect(mail?.recipient).toBe(`${person.slice(6)}@elm.example`);
  expect(mail?.text).toContain(reference);
  expect(mail?.text).toContain('GB19 DEMO 0000 0000 0000 01');
  expect(mail?.text).toContain('US$1,000.10');
  expect(await world.notifications(person)).toEqual([
    'Your deposit is expected: please transfer the money',
  ]);
});

test('a received deposit is completed: the wallet gets the amount less the fee, and the person is notified', async () => {
  const { id, walletId, person } = await deposit();
  const event = await world.walk('fiat_deposit_request', id, ['approved', 'received']);
  expect((await world.post(endpoint, event)).body).toMatchObject({
    outcome: 'completed',
    credit: 'credited',
  });
  expect(await balanceOf(walletId)).toBe('1005');
  expect(
    await world.row(
      'select status, completed_at is not null as dated from public.fiat_deposit_request where id = $1',
      [id],
    ),
  ).toEqual({ status: 'completed', dated: true });
  expect(
    await world.rows(
      'select kind, direction, coin, status, counted_at is not null as counted from public.asset_transaction where digital_wallet_id = $1',
      [walletId],
    ),
  ).toEqual([
    { kind: 'deposit', direction: 'in', coin: 'USDC', status: 'confirmed', counted: true },
  ]);
  expect(await world.notifications(person)).toEqual(['Your deposit is credited']);
  expect(await world.mails(`deposit-completed/${id}`)).toHaveLength(1);
});

test('twenty events of a deposit at the same time, and the event of its completion, credit the wallet and notify once', async () => {
  const { id, walletId, person } = await deposit();
  const event = await world.walk('fiat_deposit_request', id, ['approved', 'received']);
  const answers = await world.postTwentyTimes(endpoint, event, 'digital_wallet', walletId);
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  const { data } = event.event;
  const completion = {
    op: 'UPDATE',
    data: { old: data.new, new: { ...data.new, status: 'completed' } },
  };
  await world.post(endpoint, { ...event, id: 'completion', event: completion });
  expect(await balanceOf(walletId)).toBe('1005');
  expect(await world.notifications(person)).toHaveLength(1);
  expect(await world.mails(`deposit-completed/${id}`)).toHaveLength(1);
});

test.each([
  ['of a coin that is not worth a dollar', {}, { coin: 'BTC' }],
  ['of a coin for another currency', { currency: 'EUR' }, {}],
  ['that is locked', {}, { status: 'locked' }],
  ['for less than the fee', { amount: '0.10' }, {}],
])(
  'a deposit to a wallet %s is not credited, and the accounting role is notified',
  async (_title, values, wallet) => {
    const { id, walletId, reference } = await deposit(values, wallet);
    const event = await world.walk('fiat_deposit_request', id, ['approved', 'received']);
    expect((await world.post(endpoint, event)).body).toMatchObject({
      outcome: 'received',
      credit: 'impossible',
    });
    expect(await balanceOf(walletId)).toBe('5');
    const title = 'A deposit cannot be credited by itself';
    expect(await world.countNotified('accounting', title, reference)).toBeGreaterThan(0);
  },
);

test('a deposit that names no wallet is completed without crediting coins', async () => {
  const { id } = await deposit({ digital_wallet_id: null });
  await world.post(
    endpoint,
    await world.walk('fiat_deposit_request', id, ['approved', 'received']),
  );
  expect(await world.statusOf('fiat_deposit_request', id)).toBe('completed');
});

test('a rejected deposit is not credited, and the person is notified', async () => {
  const { id, walletId, person } = await deposit();
  await world.post(endpoint, await world.walk('fiat_deposit_request', id, ['rejected']));
  expect(await world.notifications(person)).toEqual(['Your deposit was turned down']);
  expect(await balanceOf(walletId)).toBe('5');
});

test('the event of an approval that is processed after the money arrived sends no mail, and credits the money', async () => {
  const { id, walletId } = await deposit();
  const approved = await world.walk('fiat_deposit_request', id, ['approved']);
  await world.walk('fiat_deposit_request', id, ['received']);
  await world.post(endpoint, approved);
  expect(await balanceOf(walletId)).toBe('1005');
  expect(await world.mails(`deposit-approved/${id}`)).toEqual([]);
});

test('a disabled person gets no mail about a deposit, but the organization does', async () => {
  const { id, person, admin } = await deposit();
  await world.rows(`update public."user" set status = 'disabled' where id = $1`, [person]);
  await world.post(endpoint, await world.walk('fiat_deposit_request', id, ['approved']));
  const mails = await world.mails(`deposit-approved/${id}`);
  expect(mails.map(({ recipient }) => recipient)).toEqual([`${admin.slice(6)}@elm.example`]);
  expect(await world.notifications(person)).toEqual([]);
});

test('disabled members of staff are not notified of a deposit', async () => {
  const { id, organization } = await deposit({ status: 'draft' });
  const [left, there] = [
    await world.person(organization, 'accounting'),
    await world.person(organization, 'accounting'),
  ];
  await world.rows(`update public."user" set status = 'disabled' where id = $1`, [left]);
  await world.post(endpoint, await world.walk('fiat_deposit_request', id, ['submitted']));
  expect(await world.notifications(there)).toEqual(['A deposit waits for approval']);
  expect(await world.notifications(left)).toEqual([]);
});
