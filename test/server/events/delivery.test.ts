import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Model } from '../../../permissions/index.ts';
import { redeliverEvent } from '../../../server/events/outbox/redeliver.ts';
import {
  type EventWorld,
  makeEventWorld,
  markApplied,
  modelOf,
  platformSecret,
  startWorker,
  trigger,
} from './support/event-world.ts';
import { type Receiver, refuse, startReceiver, take } from './support/receiver.ts';

let world: EventWorld;
let receiver: Receiver;
let worker: { close(): Promise<void> };
let model: Model;

beforeAll(async () => {
  receiver = await startReceiver();
  world = await makeEventWorld({
    ROWGATE_WEBHOOK_BASE_URL: receiver.url,
    HOOK_TOKEN: 'secret-of-the-hook',
  });
});

beforeEach(async () => {
  await world.owner.query('truncate rowgate_events.event, rowgate_events.attempt');
  receiver.react = take;
  (receiver.received as unknown[]).length = 0;
  const url = `${receiver.url}/in`;
  model = modelOf(
    trigger('plain', { webhook: url }),
    trigger('own', { webhook: '/webhooks/own' }),
    trigger('authorized', {
      webhook: url,
      headers: [{ name: 'Authorization', value: 'Bearer {{HOOK_TOKEN}}' }],
    }),
    trigger('unset', { webhook: 'http://{{NOT_SET}}/', retry: { limit: 0 } }),
    trigger('stubborn', { webhook: url, retry: { limit: 2 } }),
    trigger('hung', { webhook: url, retry: { limit: 0, timeout: 60 } }),
  );
  worker = await startWorker({ world, model: () => model, tuning: { stopMs: 100 } });
});

afterEach(() => worker.close());

afterAll(async () => {
  await receiver.close();
  await world.close();
});

const delivered = (id: string | undefined) =>
  world.row('select * from rowgate_events.event where id = $1 and delivered_at is not null', [id]);

test("a webhook receives an event in Hasura's format", async () => {
  const [id] = await world.fire('plain', [{ data: { old: null, new: { id: 1 } } }]);
  await delivered(id);
  expect(receiver.received[0]?.event).toEqual({
    id,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
    trigger: { name: 'plain' },
    table: { schema: 'public', name: 'thing' },
    event: {
      op: 'INSERT',
      session_variables: { 'x-gql-role': 'user' },
      trace_context: null,
      data: { old: null, new: { id: 1 } },
    },
    delivery_info: { max_retries: 20, current_retry: 0 },
  });
});

test('a webhook receives numbers with every digit', async () => {
  await world.owner.query(
    `insert into rowgate_events.event (trigger, table_schema, table_name, op, data)
     values ('plain', 'public', 'thing', 'INSERT', '{"new": {"amount": 12345678901234567890.1234567890}}');
     notify rowgate_event`,
  );
  await receiver.count(1);
  expect(receiver.received[0]?.body).toContain('12345678901234567890.1234567890');
});

test('a webhook that is a path of this server gets the platform token', async () => {
  await world.fire('own', [{ data: {} }]);
  await receiver.count(1);
  expect(receiver.received[0]).toMatchObject({
    path: '/webhooks/own',
    headers: { 'x-platform-api-token': platformSecret },
  });
});

test('a webhook on another server gets its configured headers and no platform token', async () => {
  await world.fire('authorized', [{ data: {} }]);
  await receiver.count(1);
  const { authorization, ...others } = receiver.received[0]?.headers ?? {};
  expect([authorization, others['x-platform-api-token']]).toEqual([
    'Bearer secret-of-the-hook',
    undefined,
  ]);
});

test('a delivery whose webhook needs an unset environment variable fails, and the recorded reason names the variable', async () => {
  const [id] = await world.fire('unset', [{ data: {} }]);
  const row = await world.row('select * from rowgate_events.attempt where event_id = $1', [id]);
  expect(row).toMatchObject({
    number: 1,
    status: null,
    error: 'the environment variable NOT_SET is not set',
  });
});

test('a failed try is followed by another one with a higher count in the payload', async () => {
  receiver.react = (response, received) => {
    const react = received.event.delivery_info.current_retry === 0 ? refuse : take;
    react(response, received);
  };
  const [id] = await world.fire('plain', [{ data: {} }]);
  await delivered(id);
  const { rows } = await world.owner.query(
    'select number, status, excerpt from rowgate_events.attempt order by number',
  );
  expect(rows).toEqual([
    { number: 1, status: 500, excerpt: 'no' },
    { number: 2, status: 200, excerpt: 'ok' },
  ]);
});

test('an event is dead after its last try, with the reason', async () => {
  receiver.react = refuse;
  const [id] = await world.fire('stubborn', [{ data: {} }]);
  const dead = 'select * from rowgate_events.event where id = $1 and dead_at is not null';
  expect(await world.row(dead, [id])).toMatchObject({
    tries: 3,
    delivered_at: null,
    dead_reason: '3 tries failed, the last because: the receiver answered 500',
  });
});

test('an event that is delivered or dead leaves no job in the queue', async () => {
  receiver.react = refuse;
  const [id] = await world.fire('stubborn', [{ data: {} }]);
  await world.row('select from rowgate_events.event where id = $1 and dead_at is not null', [id]);
  const { rows } = await world.owner.query(
    `select name, state from rowgate_queue.job where name like 'events%'`,
  );
  expect(rows).toEqual([]);
});

test('the header Retry-After of an answer decides the time of the next try', async () => {
  receiver.react = (response) => response.writeHead(503, { 'retry-after': '1800' }).end();
  await world.fire('plain', [{ data: {} }]);
  const { wait } = await world.row(
    `select extract(epoch from start_after - now())::integer as wait
     from rowgate_queue.job where name = 'events' and state = 'retry'`,
  );
  expect(wait).toBeGreaterThan(1700);
  await world.owner.query(`delete from rowgate_queue.job where name = 'events'`);
});

test('an event whose trigger is not in the rules becomes dead', async () => {
  await worker.close();
  await markApplied(world, model);
  worker = await startWorker({ world, model: () => model, tuning: { graceMs: 0 } });
  const [id] = await world.fire('forgotten', [{ data: {} }]);
  const dead = 'select * from rowgate_events.event where id = $1 and dead_at is not null';
  expect(await world.row(dead, [id])).toMatchObject({
    dead_reason: 'the metadata has no event trigger "forgotten" any more',
    tries: 0,
  });
});

test('an event whose trigger gets into the rules within a minute is delivered', async () => {
  const [id] = await world.fire('new', [{ data: {} }]);
  model = modelOf(trigger('new', { webhook: receiver.url }));
  await world.owner.query('notify rowgate_event');
  expect(await delivered(id)).toMatchObject({ dead_at: null });
});

test('a webhook receives a payload of 5 MB completely', async () => {
  const words = Array.from({ length: 400_000 }, (_, n) => Math.sin(n).toString(36)).join(' ');
  await world.fire('plain', [{ data: { new: { words } } }]);
  await receiver.count(1);
  expect(receiver.received[0]?.event.event.data.new.words).toBe(words);
});

test('receivers that do not answer do not delay the events of other triggers', async () => {
  receiver.react = (response, { event }) => {
    if (event.trigger.name === 'plain') response.end();
  };
  await world.fire(
    'hung',
    Array.from({ length: 300 }, () => ({ data: {} })),
  );
  await receiver.count(40);
  const [id] = await world.fire('plain', [{ data: {} }]);
  await delivered(id);
  const { rows } = await world.owner.query(
    `select count(*)::integer as finished from rowgate_events.event
     where trigger = 'hung' and relayed_at is not null and dead_at is not null`,
  );
  expect(rows).toEqual([{ finished: 0 }]);
});

test('with ordered delivery, an event that cannot be delivered blocks only events with the same key, until it is dead', async () => {
  receiver.react = (response, received) => {
    const react = received.event.event.data.new.step === 1 ? refuse : take;
    react(response, received);
  };
  await world.fire('stubborn', [
    { data: { new: { key: 'a', step: 1 } }, key: 'a' },
    { data: { new: { key: 'a', step: 2 } }, key: 'a' },
    { data: { new: { key: 'b', step: 2 } }, key: 'b' },
  ]);
  await world.row(
    `select where not exists (
       select from rowgate_events.event where delivered_at is null and dead_at is null
     )`,
  );
  const { a, b } = Object.groupBy(
    receiver.received.map(({ event }) => event.event.data.new as { key: 'a' | 'b'; step: number }),
    ({ key }) => key,
  );
  expect([a?.map(({ step }) => step), b?.map(({ step }) => step)]).toEqual([[1, 1, 1, 2], [2]]);
});

test('an event that an operator redelivers keeps its id, and its count of tries continues', async () => {
  receiver.react = refuse;
  const [id = ''] = await world.fire('stubborn', [{ data: {} }]);
  const fate = (end: string) =>
    world.row(`select tries from rowgate_events.event where id = $1 and ${end} is not null`, [id]);
  await fate('dead_at');
  receiver.react = take;
  await redeliverEvent(world.owner, id);
  expect(await fate('delivered_at')).toEqual({ tries: 4 });
  expect(receiver.received.at(-1)?.event).toMatchObject({
    id,
    delivery_info: { max_retries: 2, current_retry: 0 },
  });
});
