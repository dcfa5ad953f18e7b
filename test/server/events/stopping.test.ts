import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type EventWorld,
  makeEventWorld,
  modelOf,
  startWorker,
  trigger,
} from './support/event-world.ts';
import { type Reaction, type Receiver, startReceiver, take } from './support/receiver.ts';

let world: EventWorld;
let receiver: Receiver;

beforeAll(async () => {
  world = await makeEventWorld();
});

beforeEach(async () => {
  await world.owner.query('truncate rowgate_events.event, rowgate_events.attempt');
  receiver = await startReceiver();
});

afterEach(() => receiver.close());

afterAll(() => world.close());

function start(stopMs: number, retry: { readonly limit?: number } = {}) {
  const hook = trigger('slow', { webhook: receiver.url, retry: { timeout: 60, ...retry } });
  const model = modelOf(hook);
  return startWorker({ world, model: () => model, tuning: { stopMs } });
}

const fates = async () => {
  const { rows } = await world.owner.query(
    `select tries, delivered_at is not null as delivered from rowgate_events.event`,
  );
  return rows;
};

test('an event worker that closes finishes its running deliveries', async () => {
  const asked = Promise.withResolvers<Parameters<Reaction>>();
  receiver.react = (...one) => asked.resolve(one);
  const worker = await start(20_000);
  await world.fire('slow', [{ data: {} }]);
  const [response, received] = await asked.promise;
  const closed = worker.close();
  take(response, received);
  await closed;
  expect(await fates()).toEqual([{ tries: 1, delivered: true }]);
});

test('an event worker that closes returns a slow delivery to the queue, and another worker takes it at once', async () => {
  receiver.react = () => {};
  const worker = await start(50);
  await world.fire('slow', [{ data: {} }, { data: {}, key: 'a' }]);
  await receiver.count(2);
  await worker.close();
  receiver.react = take;
  const other = await start(50);
  await receiver.count(4);
  await world.row(
    'select where not exists (select from rowgate_events.event where delivered_at is null)',
  );
  await other.close();
  expect(await fates()).toEqual([
    { tries: 1, delivered: true },
    { tries: 1, delivered: true },
  ]);
});

test('an event that closing workers return to the queue many times is delivered in the end', async () => {
  receiver.react = () => {};
  await world.fire('slow', [{ data: {} }]);
  // Returns the event more often than the retry limit for dead workers, because returning must not count as a death.
  for (let given = 1; given <= 12; given += 1) {
    const worker = await start(1, { limit: 0 });
    await receiver.count(given);
    await worker.close();
  }
  receiver.react = take;
  const worker = await start(20_000, { limit: 0 });
  await receiver.count(13);
  await worker.close();
  expect(await fates()).toEqual([{ tries: 1, delivered: true }]);
});

test('an event worker without running deliveries closes', async () => {
  const worker = await start(20_000);
  await expect(worker.close()).resolves.toBeUndefined();
});
