import { afterAll, beforeAll, expect, test } from 'vitest';
import { CallbackWorld, type Sender } from './support/callback-world.ts';
import { cardPayload, custodyPayload, kycPayload, logRecord } from './support/payloads.ts';

let world: CallbackWorld;
beforeAll(async () => {
  world = await CallbackWorld.make();
});
afterAll(() => world.end());

interface Receipt {
  readonly id: string;
  readonly duplicate: boolean;
}

async function receipt(sender: Sender, payload: unknown): Promise<Receipt> {
  const response = await world.post(sender, payload);
  expect(response.status).toBe(202);
  return (await response.json()) as Receipt;
}

const jobsOf = (id: string) =>
  world.value(
    `select count(*)::int from rowgate_queue.job where name = 'callbacks' and data ->> 'id' = $1`,
    [id],
  );

const events: readonly (readonly [Sender, object])[] = [
  ['custody', custodyPayload()],
  ['card', cardPayload()],
  ['kyc', kycPayload()],
  ['identity', logRecord('once', 'sapi')],
];

test.each(events)(
  '%s: a callback that is sent again is answered with the id of the first',
  async (sender, payload) => {
    const first = await receipt(sender, payload);
    expect(first.duplicate).toBe(false);
    expect(await receipt(sender, payload)).toEqual({ id: first.id, duplicate: true });
    expect(await jobsOf(first.id)).toBe(1);
  },
);

test.each(events)(
  '%s: of twenty copies of a callback at the same time, one is stored',
  async (sender, payload) => {
    const changed = { ...payload, transfer: 'rush', more: 'at once', log_id: 'rush' };
    const receipts = await Promise.all(Array.from({ length: 20 }, () => receipt(sender, changed)));
    expect(new Set(receipts.map(({ id }) => id)).size).toBe(1);
    expect(receipts.filter(({ duplicate }) => !duplicate)).toHaveLength(1);
    expect(await jobsOf(receipts[0]?.id ?? '')).toBe(1);
  },
);

test('a record of the sign-in log is identified by its own id only', async () => {
  const first = await receipt('identity', logRecord('the-same', 'sapi'));
  expect(first.duplicate).toBe(false);
  const again = await receipt('identity', logRecord('the-same', 'sapi', { ip: '198.51.100.1' }));
  expect(again).toEqual({ id: first.id, duplicate: true });
  expect((await world.callback(first.id)).event_key).toBe('the-same');
});

test('two providers that send the same body cause two stored callbacks', async () => {
  const both = { ...custodyPayload({ transfer: 'both' }), ...cardPayload(), type: 'deposit' };
  const text = JSON.stringify(both);
  const [custody, card] = [await receipt('custody', text), await receipt('card', text)];
  expect(card.duplicate).toBe(false);
  expect(card.id).not.toBe(custody.id);
});

test('a list of log records counts as sent again when all of its records were stored', async () => {
  const one = logRecord('list-1', 'sapi');
  const two = logRecord('list-2', 'sapi');
  expect(await receipt('identity', [one])).toMatchObject({ duplicate: false, events: 1 });
  expect(await receipt('identity', [one, two])).toMatchObject({ duplicate: false, events: 2 });
  expect(await receipt('identity', [two, one, one])).toMatchObject({ duplicate: true, events: 3 });
});

test('two senders of the same log records in different orders do not wait for each other', async () => {
  const logs = Array.from({ length: 200 }, (_, n) => logRecord(`crossed-${n}`, 'sapi'));
  const lists = Array.from({ length: 8 }, (_, n) => (n % 2 === 0 ? logs : logs.toReversed()));
  const receipts = await Promise.all(lists.map((list) => receipt('identity', list)));
  expect(receipts.filter(({ duplicate }) => !duplicate)).toHaveLength(1);
  expect(
    await world.value(
      `select count(*)::int from rowgate_queue.job j join rowgate_webhooks.inbox i on i.id::text = j.data ->> 'id'
       where i.event_key like 'crossed-%'`,
    ),
  ).toBe(200);
});

test('a callback whose processing failed for good is processed again when the provider sends it again', async () => {
  const payload = custodyPayload({ transfer: 'revived' });
  const { id } = await receipt('custody', payload);
  await world.rows('select rowgate_webhooks.give_up_callback($1)', [id]);
  expect((await world.callback(id)).state).toBe('failed');
  expect(await receipt('custody', payload)).toEqual({ id, duplicate: true });
  expect(await world.callback(id)).toMatchObject({ state: 'stored', note: null });
  expect(await jobsOf(id)).toBe(2);
});

test('a callback that an earlier version of the server could not read is processed when it is sent again', async () => {
  const payload = custodyPayload({ transfer: 'readable by now' });
  const { id } = await receipt('custody', payload);
  await world.rows(
    `update rowgate_webhooks.inbox set state = 'malformed', payload = null where id = $1`,
    [id],
  );
  expect(await receipt('custody', payload)).toEqual({ id, duplicate: false });
  expect(await world.callback(id)).toMatchObject({ state: 'stored', payload });
});

test('a callback is not stored when its job cannot be queued', async () => {
  await world.rows('alter table rowgate_queue.job_common rename to job_away');
  const response = await world.post('custody', custodyPayload({ transfer: 'no job' }));
  await world.rows('alter table rowgate_queue.job_away rename to job_common');
  expect(response.status).toBe(503);
  expect(
    await world.value(
      `select count(*)::int from rowgate_webhooks.inbox where payload ->> 'transfer' = 'no job'`,
    ),
  ).toBe(0);
});

test('callbacks that were settled long ago are deleted, and no others', async () => {
  const settled = await world.take('identity', logRecord('old-done', 'sapi'));
  const waiting = await receipt('identity', logRecord('old-stored', 'sapi'));
  const young = await world.take('identity', logRecord('young', 'sapi'));
  await world.rows(
    `update rowgate_webhooks.inbox set received_at = now() - interval '91 days' where id = any($1)`,
    [[settled.id, waiting.id]],
  );
  expect(await world.value('select rowgate_webhooks.clean_inbox()::int')).toBe(1);
  const left = await world.rows('select id from rowgate_webhooks.inbox where id = any($1)', [
    [settled.id, waiting.id, young.id],
  ]);
  expect(left.map(({ id }) => id).sort()).toEqual([waiting.id, young.id].sort());
});

test('the gateway login cannot read callbacks, which contain personal data', async () => {
  await expect(world.pool.query('select from rowgate_webhooks.inbox')).rejects.toThrow(
    'permission denied',
  );
});
