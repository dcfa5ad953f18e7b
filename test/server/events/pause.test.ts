import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { lockPaused, pauseTrigger, resumeTrigger } from '../../../server/events/outbox/pause.ts';
import {
  type EventWorld,
  makeEventWorld,
  modelOf,
  startWorker,
  trigger,
} from './support/event-world.ts';
import { type Receiver, refuse, startReceiver, take } from './support/receiver.ts';

let world: EventWorld;
let receiver: Receiver;
let workers: readonly { close(): Promise<void> }[];

beforeAll(async () => {
  receiver = await startReceiver();
  world = await makeEventWorld({ ROWGATE_WEBHOOK_BASE_URL: receiver.url });
});

beforeEach(async () => {
  await world.owner.query('truncate rowgate_events.event, rowgate_events.paused_trigger');
  receiver.react = take;
  (receiver.received as unknown[]).length = 0;
  const webhook = `${receiver.url}/in`;
  const retry = { limit: 1, interval: 1, maxInterval: 1 };
  const model = modelOf(trigger('one', { webhook, retry }), trigger('other', { webhook }));
  const options = { world, model: () => model };
  workers = await Promise.all([startWorker(options), startWorker(options)]);
});

afterEach(() => Promise.all(workers.map((worker) => worker.close())));

afterAll(async () => {
  await receiver.close();
  await world.close();
});

const steps = (from: number, to: number, key?: string) =>
  Array.from({ length: to - from + 1 }, (_one, index) => ({
    data: { step: from + index },
    ...(key !== undefined && { key }),
  }));

const allHeld = () =>
  world.row(`select where not exists (
    select from rowgate_events.event where trigger = 'one' and relayed_at is distinct from 'infinity')`);

const received = () => receiver.received.map(({ event }) => event.event.data.step);

test('events of a paused trigger wait while those of others are delivered, and follow in order after it is resumed', async () => {
  expect(await pauseTrigger(world.owner, 'one', 'Ada')).toBe(true);
  await world.fire('one', steps(1, 3, 'key'));
  await world.fire('other', steps(10, 10));
  await receiver.count(1);
  await allHeld();
  expect(received()).toEqual([10]);
  expect(await resumeTrigger(world.owner, 'one')).toBe(true);
  await world.fire('one', steps(4, 4, 'key'));
  await receiver.count(5);
  expect(received()).toEqual([10, 1, 2, 3, 4]);
});

test('an event that is in the queue when its trigger is paused waits there, and keeps its order and its tries', async () => {
  receiver.react = refuse;
  await world.fire('one', steps(1, 2, 'key'));
  await receiver.count(1);
  await pauseTrigger(world.owner, 'one', undefined);
  await world.row(`select from rowgate_queue.job where start_after = 'infinity'`);
  receiver.react = take;
  await world.fire('one', steps(3, 3, 'key'));
  await world.row(`select from rowgate_events.event where relayed_at = 'infinity'`);
  expect(received()).toEqual([1]);
  await resumeTrigger(world.owner, 'one');
  await receiver.count(4);
  expect(received()).toEqual([1, 1, 2, 3]);
  await world.row(
    `select where 3 = (select count(*) from rowgate_events.event where delivered_at is not null)`,
  );
});

test('resuming waits for a relay that holds events back, and makes them due', async () => {
  const pidOf = async (client: pg.Client) =>
    (await client.query('select pg_backend_pid() as pid')).rows[0].pid;
  await pauseTrigger(world.owner, 'one', undefined);
  await world.owner.query(
    `insert into rowgate_events.event (trigger, table_schema, table_name, op, data, relayed_at)
     values ('one', 'public', 'thing', 'INSERT', '{"step": 7}', now())`,
  );
  const [relay, observer] = [
    await world.database.connectOwner(),
    await world.database.connectOwner(),
  ];
  const pids = [await pidOf(world.owner), await pidOf(relay)];
  await relay.query('begin');
  await lockPaused(relay);
  await relay.query(`update rowgate_events.event set relayed_at = 'infinity'`);
  const resumed = resumeTrigger(world.owner, 'one');
  const isBlocked = 'select pg_blocking_pids($1) = array[$2::integer] as blocked';
  await expect.poll(async () => (await observer.query(isBlocked, pids)).rows[0].blocked).toBe(true);
  await relay.query('commit');
  expect(await resumed).toBe(true);
  await receiver.count(1);
  expect(received()).toEqual([7]);
  await relay.end();
  await observer.end();
});

test('pausing twice and resuming twice change nothing', async () => {
  await pauseTrigger(world.owner, 'one', 'Ada');
  expect(await pauseTrigger(world.owner, 'one', 'Bob')).toBe(false);
  const { rows } = await world.owner.query('select actor from rowgate_events.paused_trigger');
  expect(rows).toEqual([{ actor: 'Ada' }]);
  await resumeTrigger(world.owner, 'one');
  expect(await resumeTrigger(world.owner, 'one')).toBe(false);
});
