import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type CallbackRow, CallbackWorld, type Sender } from './support/callback-world.ts';
import { cardPayload, custodyPayload, kycPayload, logRecord } from './support/payloads.ts';

// Rows of the demo data. When the callbacks arrive, each of these rows is missing or lacks the provider's id.
const wallet = '10000000-0000-4000-8000-000000000201';
const card = 'c0000000-0000-4000-8000-000000000101';

let world: CallbackWorld;
beforeAll(async () => {
  world = await CallbackWorld.make();
});
afterAll(() => world.end());

beforeEach(async () => {
  await world.rows(
    `update public.digital_wallet set custody_wallet_id = null, coin = 'BTC', balance = 10 where id = $1`,
    [wallet],
  );
  await world.rows('update public.card set provider_card_id = null, balance = 1000 where id = $1', [
    card,
  ]);
  await world.rows('delete from rowgate_webhooks.linked');
});
afterEach(async () => {
  await world.rows('delete from rowgate_webhooks.told_balance');
  await world.rows('delete from rowgate_webhooks.inbox');
});

const linkWallet = () =>
  world.rows(`update public.digital_wallet set custody_wallet_id = 'cw-later' where id = $1`, [
    wallet,
  ]);

const balance = () =>
  world.value('select trim_scale(balance)::text from public.digital_wallet where id = $1', [
    wallet,
  ]);

let count = 0;
const deposit = (more: Readonly<Record<string, unknown>> = {}) => {
  count += 1;
  return custodyPayload({
    walletId: 'cw-later',
    transfer: `linked-later-${count}`,
    amount: '1.5',
    ...more,
  });
};

/**
 * Posts a callback whose row does not exist yet, waits until a worker has marked it as unmatched,
 * and returns its id.
 */
async function takeUnmatched(sender: Sender, payload: unknown): Promise<string> {
  const response = await world.post(sender, payload);
  const { id } = (await response.json()) as { readonly id: string };
  expect((await world.settled(id)).state).toBe('unmatched');
  await vi.waitFor(
    async () =>
      expect(
        await world.value(
          `select count(*)::integer from rowgate_queue.job
           where data ->> 'id' = $1 and state < 'completed'`,
          [id],
        ),
      ).toBe(0),
    { timeout: 20_000, interval: 20 },
  );
  return id;
}

/** Returns the stored callback once a worker has found its row and processed it. */
function matched(id: string): Promise<CallbackRow> {
  return vi.waitFor(
    async () => {
      const callback = await world.callback(id);
      expect(['done', 'ignored']).toContain(callback.state);
      return callback;
    },
    { timeout: 20_000, interval: 50 },
  );
}

test('a callback takes effect although its wallet is linked while it is being processed', async () => {
  await world.rows(
    `create function public.wait_for_test() returns trigger language plpgsql as
       $$ begin perform pg_advisory_xact_lock(15); return new; end $$`,
  );
  await world.rows(
    `create trigger wait_for_test before update on rowgate_webhooks.inbox
     for each row when (new.state = 'unmatched') execute function public.wait_for_test()`,
  );
  const holder = await world.database.connectSuperuser();
  await holder.query('select pg_advisory_lock(15)');
  const response = await world.post('custody', deposit());
  const { id } = (await response.json()) as { readonly id: string };
  const processing = world.process(id);
  await vi.waitFor(
    async () =>
      expect(
        await world.value(
          `select count(*)::integer from pg_stat_activity
           where datname = current_database() and wait_event = 'advisory'`,
        ),
      ).toBe(1),
    { timeout: 10_000, interval: 20 },
  );
  await linkWallet();
  // A worker polls meanwhile, and finds no callback whose row has appeared.
  expect(await world.rows('select * from rowgate_webhooks.take_linked()')).toEqual([]);
  await holder.query('select pg_advisory_unlock(15)');
  await processing;
  await world.rows('drop trigger wait_for_test on rowgate_webhooks.inbox');
  expect(await world.callback(id)).toMatchObject({ state: 'done' });
  expect(await balance()).toBe('11.5');
});

test('a wallet that is linked in a transaction that rolls back wakes no callback', async () => {
  const { id } = await world.take('custody', deposit());
  await world.rows('begin');
  await linkWallet();
  await world.rows('rollback');
  expect(await world.rows('select * from rowgate_webhooks.take_linked()')).toEqual([]);
  expect((await world.callback(id)).state).toBe('unmatched');
});

test('a callback whose person id is too long for any row is ignored instead of waiting', async () => {
  const characters = Array.from({ length: 1000 }, (_, n) => String.fromCodePoint(0x20000 + 7 * n));
  const log = logRecord('too-long', 'fp', { user_id: characters.join('') });
  expect(await world.take('identity', log)).toMatchObject({
    state: 'ignored',
    note: 'no user has this user_id',
  });
});

describe('with a running worker, after callbacks have waited for their rows,', () => {
  beforeAll(async () => {
    await world.work();
  });

  test('a deposit is booked once when its wallet is linked', async () => {
    const payload = deposit();
    const id = await takeUnmatched('custody', payload);
    await linkWallet();
    expect(await matched(id)).toMatchObject({ state: 'done', note: null });
    expect(await balance()).toBe('11.5');
    const again = await world.post('custody', payload);
    expect(await again.json()).toEqual({ id, duplicate: true });
    await linkWallet();
    await world.process(id);
    expect(await balance()).toBe('11.5');
    expect(
      await world.value(
        'select count(*)::integer from public.asset_transaction where custody_transfer_id = $1',
        [payload.transfer],
      ),
    ).toBe(1);
  });

  test('the callbacks of a wallet are processed in the order in which they arrived', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 10; n += 1) ids.push(await takeUnmatched('custody', deposit()));
    await linkWallet();
    for (const id of ids) await matched(id);
    const rows = await world.rows(
      'select id from rowgate_webhooks.inbox where id = any($1) order by settled_at',
      [ids],
    );
    expect(rows.map(({ id }) => id)).toEqual(ids);
    expect(await balance()).toBe('25');
  });

  test('a callback that must wait again, for its transfer, does not stop later ones', async () => {
    const transfer = 'linked-later-chain';
    const confirmation = await takeUnmatched('custody', deposit({ transfer, amount: undefined }));
    const other = await takeUnmatched('custody', deposit());
    await linkWallet();
    await matched(other);
    expect(await world.callback(confirmation)).toMatchObject({ state: 'unmatched' });
    await world.take('custody', deposit({ transfer, state: 'pending' }));
    await matched(confirmation);
    expect(await balance()).toBe('13');
  });

  test('the last reported balance of a wallet is the one stored', async () => {
    const ids: string[] = [];
    for (const balance of [411000, 420000, 411000]) {
      const payload = { type: 'balance', transfer: '', hash: '', state: '', balance };
      ids.push(await takeUnmatched('custody', deposit(payload)));
    }
    expect(new Set(ids).size).toBe(3);
    await linkWallet();
    for (const id of ids) await matched(id);
    expect(await balance()).toBe('411000');
  });

  test('a deposit is booked when its wallet is created', async () => {
    const id = await takeUnmatched('custody', deposit({ walletId: 'cw-entered' }));
    await world.rows(
      `insert into public.digital_wallet (organization_id, coin, status, custody_wallet_id)
       select organization_id, 'BTC', 'active', 'cw-entered' from public.digital_wallet where id = $1`,
      [wallet],
    );
    await matched(id);
    expect(
      await world.value(
        `select trim_scale(balance)::text from public.digital_wallet where custody_wallet_id = 'cw-entered'`,
      ),
    ).toBe('1.5');
  });

  test('a confirmation without an amount waits further, for its transfer', async () => {
    await linkWallet();
    const confirmed = deposit({ amount: undefined });
    const id = await takeUnmatched('custody', confirmed);
    await world.take('custody', { ...confirmed, amount: '1.5', state: 'pending' });
    await matched(id);
    expect(await balance()).toBe('11.5');
  });

  test('a payment is booked when its card is linked', async () => {
    const payload = cardPayload({ cardId: 'card-later', merchantName: 'Linked later' });
    const id = await takeUnmatched('card', payload);
    await world.rows(`update public.card set provider_card_id = 'card-later' where id = $1`, [
      card,
    ]);
    await matched(id);
    expect(await world.value('select balance::text from public.card where id = $1', [card])).toBe(
      '974.50',
    );
  });

  test('a callback that cannot be processed now does not stop later ones', async () => {
    const of = (eventType: string) =>
      cardPayload({ cardId: 'card-stuck', merchantName: 'Stuck', eventType });
    const reversal = await takeUnmatched('card', of('TRANSACTION_REVERSED'));
    const payment = await takeUnmatched('card', of('TRANSACTION_AUTHORIZED'));
    await world.rows(`update public.card set provider_card_id = 'card-stuck' where id = $1`, [
      card,
    ]);
    await matched(payment);
    await world.hurry();
    await matched(reversal);
    expect(await world.value('select balance::text from public.card where id = $1', [card])).toBe(
      '1000.00',
    );
  });

  test('callbacks about a person take effect when the person is created', async () => {
    const person = 'local|linked-later';
    const review = await takeUnmatched(
      'kyc',
      kycPayload({ externalUserId: person, applicantId: 'applicant-later', inspectionId: 'i' }),
    );
    const login = await takeUnmatched('identity', logRecord('later-1', 's', { user_id: person }));
    await world.rows(
      `insert into public."user" (id, organization_id, email)
       select $1, organization_id, 'linked-later@example.com' from public.digital_wallet where id = $2`,
      [person, wallet],
    );
    await matched(review);
    await matched(login);
    expect(
      await world.rows(
        `select p.status, e.kind from public.kyc_profile p
         join public.login_event e on e.user_id = p.user_id where p.user_id = $1`,
        [person],
      ),
    ).toEqual([{ status: 'approved', kind: 'login' }]);
  });

  test('the result of a review takes effect when its applicant is linked', async () => {
    const person = 'local|alder-member';
    const ids = { applicantId: 'applicant-second', inspectionId: 'inspection-second' };
    const review = await takeUnmatched('kyc', kycPayload(ids));
    await world.rows('update public.kyc_profile set applicant_id = $2 where user_id = $1', [
      person,
      'applicant-second',
    ]);
    expect(await matched(review)).toMatchObject({ state: 'done' });
  });
});
