import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { CallbackWorld } from './support/callback-world.ts';
import { custodyPayload } from './support/payloads.ts';

let world: CallbackWorld;
beforeAll(async () => {
  world = await CallbackWorld.make();
});
afterAll(() => world.end());

let transfer = '';
let count = 0;
beforeEach(async () => {
  count += 1;
  transfer = `callback-${count}`;
  await world.rows(
    `update public.digital_wallet set balance = 10, usd_value = 0 where custody_wallet_id = 'cw-dogwood-1'`,
  );
  await world.rows(
    `delete from public.asset_transaction where custody_transfer_id like 'callback-%'`,
  );
  await world.rows('delete from rowgate_webhooks.last_heard');
  await world.rows(`delete from public.notification where created_at > now() - interval '1 hour'`);
});

const take = (more: Readonly<Record<string, unknown>>) =>
  world.take('custody', custodyPayload({ transfer, ...more }));

const balance = () =>
  world.value(
    `select trim_scale(balance)::text from public.digital_wallet where custody_wallet_id = 'cw-dogwood-1'`,
  );

async function transaction() {
  const [row] = await world.rows(
    `select kind, direction, coin, trim_scale(amount)::text as amount, trim_scale(fee)::text as fee, status, hash,
       counted_at is not null as counted, confirmed_at::text
     from public.asset_transaction where custody_transfer_id = $1`,
    [transfer],
  );
  return row;
}

describe('a callback about a transfer that the platform does not know', () => {
  test('stores the transfer with its exact amount, and changes the balance once the transfer is confirmed', async () => {
    await take({ amount: '0.123456789012345678', timestamp: '2026-03-10T12:00:00Z' });
    expect(await transaction()).toEqual({
      kind: 'deposit',
      direction: 'in',
      coin: 'BTC',
      amount: '0.123456789012345678',
      fee: '0',
      status: 'confirmed',
      hash: '0xabc',
      counted: true,
      confirmed_at: '2026-03-10 12:00:00+00',
    });
    expect(await balance()).toBe('10.123456789012345678');
  });

  test('keeps an amount with more digits than a float, also when JSON has it as a number', async () => {
    const text = JSON.stringify(custodyPayload({ transfer, amount: 0 }));
    await world.take('custody', text.replace('"amount":0', '"amount":1.000000000000000001'));
    expect(await balance()).toBe('11.000000000000000001');
  });

  test('of an outgoing transfer subtracts amount and fee from the wallet', async () => {
    await take({ type: 'withdrawal', amount: '2', fee: '0.001' });
    expect(await balance()).toBe('7.999');
  });

  test('stores it as a transfer when the callback has only a direction', async () => {
    await take({ type: 'transfer', direction: 'out', amount: '1' });
    expect(await transaction()).toMatchObject({ kind: 'transfer', direction: 'out' });
    expect(await balance()).toBe('9');
  });

  test('values the wallet at the newest price', async () => {
    await world.rows(
      `insert into public.coin_price (coin, currency, price, quoted_at, source)
       values ('BTC', 'USD', 50000, now(), 'test')`,
    );
    await take({ amount: '1' });
    expect(
      await world.value(
        `select usd_value::text from public.digital_wallet where custody_wallet_id = 'cw-dogwood-1'`,
      ),
    ).toBe('550000.00');
  });

  test('without an amount changes nothing, and waits as unmatched', async () => {
    expect(await take({})).toMatchObject({
      state: 'unmatched',
      note: expect.stringContaining('not known'),
    });
    expect(await transaction()).toBeUndefined();
  });
});

describe('a transfer that awaits approval, by callbacks of the custody provider,', () => {
  const pending = { type: 'withdrawal', state: 'pending_approval', amount: '3', hash: '' };

  test('is stored and does not change the balance', async () => {
    await take(pending);
    expect(await transaction()).toMatchObject({ status: 'pending_approval', counted: false });
    expect(await balance()).toBe('10');
  });

  test('is approved by one callback, and changes the balance when another one confirms it', async () => {
    await take(pending);
    await take({ type: 'pendingapproval', state: 'approved' });
    expect(await transaction()).toMatchObject({ status: 'pending', counted: false });
    await take({ state: 'confirmed', hash: '0xdef', fee: '0.5' });
    expect(await transaction()).toMatchObject({
      status: 'confirmed',
      hash: '0xdef',
      fee: '0.5',
      counted: true,
    });
    expect(await balance()).toBe('6.5');
    expect(await world.notifications('local|dogwood-admin')).toEqual(['A transfer was confirmed']);
  });

  test('changes the balance when it is confirmed, although the approval was never reported', async () => {
    await take(pending);
    await take({ state: 'confirmed' });
    expect(await transaction()).toMatchObject({ status: 'confirmed' });
    expect(await balance()).toBe('7');
  });

  test('does not change the balance when it is rejected', async () => {
    await take(pending);
    await take({ type: 'pendingapproval', state: 'rejected' });
    expect(await transaction()).toMatchObject({ status: 'rejected', counted: false });
    expect(await world.notifications('local|dogwood-admin')).toEqual([
      'A transfer was not approved',
    ]);
  });
});

describe('callbacks about a transfer that arrive in another order or twice', () => {
  test('leave a confirmed transfer confirmed when it is reported as pending later', async () => {
    await take({ amount: '1' });
    const late = await take({ amount: '1', state: 'unconfirmed' });
    expect(late).toMatchObject({
      state: 'done',
      note: 'came late: the transaction is confirmed',
    });
    expect(await transaction()).toMatchObject({ status: 'confirmed' });
    expect(await balance()).toBe('11');
  });

  test('are refused and recorded when they report a failure after the confirmation', async () => {
    await take({ amount: '1' });
    const refused = await take({ state: 'failed' });
    expect(refused.note).toBe('refused: a transaction that is confirmed cannot become failed');
    expect(await balance()).toBe('11');
    expect(
      await world.rows(
        'select table_name, from_status, to_status from rowgate_webhooks.refused_move where event_id = $1',
        [refused.id],
      ),
    ).toEqual([{ table_name: 'asset_transaction', from_status: 'confirmed', to_status: 'failed' }]);
  });

  test('change the balance only once when they report the same confirmation again', async () => {
    await take({ amount: '1' });
    await take({ amount: '1', hash: '0xother' });
    expect(await balance()).toBe('11');
    expect(await transaction()).toMatchObject({ hash: '0xabc' });
  });

  test('change the balance once when twenty report the same confirmation at the same time', async () => {
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        world.post('custody', custodyPayload({ transfer, amount: '1', n })),
      ),
    );
    const bodies = await Promise.all(responses.map((response) => response.json()));
    await Promise.all(bodies.map((body) => world.process((body as { id: string }).id)));
    expect(await balance()).toBe('11');
  });
});

describe("a wallet's balance that the custody provider reports", () => {
  const stated = (more: Readonly<Record<string, unknown>>) =>
    take({ type: 'balance', state: '', hash: '', transfer: '', ...more });

  test('replaces the stored balance', async () => {
    await stated({ balance: '42.5' });
    expect(await balance()).toBe('42.5');
  });

  test('is ignored when it is older than another reported one', async () => {
    await stated({ balance: '42', timestamp: '2026-03-10T12:00:00Z' });
    expect(await stated({ balance: '41', timestamp: '2026-03-10T11:59:59Z' })).toMatchObject({
      state: 'ignored',
      note: 'came late: a newer balance was reported',
    });
    expect(await balance()).toBe('42');
  });

  test('already includes a transfer confirmed before it, even when that transfer is reported later', async () => {
    await stated({ balance: '11', timestamp: '2026-04-10T12:00:00Z' });
    await take({ amount: '1', timestamp: '2026-04-10T11:00:00Z' });
    expect(await transaction()).toMatchObject({ status: 'confirmed', counted: true });
    expect(await balance()).toBe('11');
  });

  test('is increased by transfers that are confirmed after it', async () => {
    await take({ amount: '1', timestamp: '2026-05-10T13:00:00Z' });
    await stated({ balance: '100', timestamp: '2026-05-10T12:00:00Z' });
    expect(await balance()).toBe('101');
  });

  test('is ignored when the callback does not contain it', async () => {
    expect(await stated({})).toMatchObject({ state: 'ignored', note: 'it contains no balance' });
  });
});

describe('a callback of the custody provider is stored without an effect when it is', () => {
  test.each([
    ['about a transfer without an id', { transfer: '', amount: '1' }, 'it names no transfer'],
    ['of an unknown type', { type: 'airdrop', amount: '1' }, 'the type is not known'],
    ['about an unknown state', { state: 'lost', amount: '1' }, 'the state is not known'],
  ])('%s', async (_name, more, note) => {
    expect(await take(more)).toMatchObject({ state: 'ignored', note });
    expect(await balance()).toBe('10');
    expect(await transaction()).toBeUndefined();
  });

  test('about a transfer of another wallet', async () => {
    await take({ amount: '1' });
    const other = { walletId: 'cw-dogwood-2', coin: 'usdc', amount: '1' };
    expect(await take(other)).toMatchObject({
      state: 'ignored',
      note: 'the transfer is one of another wallet',
    });
  });
});

test.each([
  [
    'of an unknown wallet',
    { walletId: 'nobody', amount: '1' },
    'no wallet has this walletId',
    'wallet/nobody',
  ],
  [
    "of another coin than the wallet's",
    { coin: 'eth', amount: '1' },
    'the wallet holds BTC, not eth',
    'wallet/cw-dogwood-1',
  ],
])('a callback about a transfer %s is unmatched and waits', async (_name, more, note, awaits) => {
  expect(await take(more)).toMatchObject({ state: 'unmatched', note, awaits });
  expect(await balance()).toBe('10');
  expect(await transaction()).toBeUndefined();
});

test('a callback fails and waits for an operator when its wallet id belongs to two organizations', async () => {
  await world.rows(
    `update public.digital_wallet set custody_wallet_id = 'cw-shared'
     where id in ('10000000-0000-4000-8000-000000000101', '10000000-0000-4000-8000-000000000201')`,
  );
  await expect(take({ walletId: 'cw-shared', amount: '1' })).rejects.toThrow('more than one row');
  expect(await transaction()).toBeUndefined();
});

test('a reported balance keeps transfers that were counted at the same moment', async () => {
  const holder = await world.database.connectSuperuser();
  const wallet = `select id, organization_id from public.digital_wallet where custody_wallet_id = 'cw-dogwood-1'`;
  await holder.query('begin');
  await holder.query(
    `with entered as (
       insert into public.asset_transaction
           (organization_id, digital_wallet_id, coin, amount, status, custody_transfer_id, occurred_at, confirmed_at)
         select w.organization_id, w.id, 'BTC', 5, 'confirmed', $1, '2126-03-10', '2126-03-10' from (${wallet}) w
         returning id)
     select id from entered`,
    [transfer],
  );
  await holder.query(
    'select rowgate_webhooks.count_transaction(t.id) from public.asset_transaction t where t.custody_transfer_id = $1',
    [transfer],
  );
  const taking = take({ transfer: '', type: 'balance', state: '', balance: '100' });
  await vi.waitFor(
    async () =>
      expect(
        await world.value(
          `select count(*)::integer from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock'`,
        ),
      ).toBe(1),
    { timeout: 10_000, interval: 20 },
  );
  await holder.query('commit');
  await taking;
  expect(await balance()).toBe('105');
});

test('a transfer that is confirmed with another amount than announced changes the balance by the confirmed amount', async () => {
  await take({ amount: '1', state: 'pending' });
  await take({ amount: '3', state: 'confirmed' });
  expect(await balance()).toBe('13');
});
