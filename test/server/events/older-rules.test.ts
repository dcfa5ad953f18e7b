import pino from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Model } from '../../../permissions/index.ts';
import { prepareEventQueues } from '../../../server/events/event-queues.ts';
import { Relay } from '../../../server/events/relay/relay.ts';
import { openQueue } from '../../../server/queue/open-queue.ts';
import {
  type EventWorld,
  makeEventWorld,
  markApplied,
  modelOf,
  startWorker,
  trigger,
} from './support/event-world.ts';
import { type Receiver, startReceiver } from './support/receiver.ts';

const closers: (() => Promise<unknown>)[] = [];
let world: EventWorld;
let receiver: Receiver;
let older: Model;
let newer: Model;

beforeEach(async () => {
  world = await makeEventWorld();
  closers.push(() => world.close());
  receiver = await startReceiver();
  closers.push(() => receiver.close());
  const known = trigger('known', { webhook: receiver.url });
  older = modelOf(known);
  newer = modelOf(known, trigger('new', { webhook: receiver.url }));
});

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function start(model: Model): Promise<{ close(): Promise<void> }> {
  const worker = await startWorker({ world, model: () => model, tuning: { graceMs: 0 } });
  closers.push(() => worker.close());
  return worker;
}

/** Queues an event while these rules are loaded, without delivering the event. */
async function relayed(name: string, rules: Model): Promise<void> {
  const logger = pino({ level: 'silent' });
  const queue = await openQueue({ url: world.login.url, works: false, logger });
  await prepareEventQueues(queue.boss);
  const timing = { pollMs: 5, graceMs: 0, heartbeatSeconds: 45 };
  const relay = new Relay({ pool: world.pool, queue, rules: () => rules, logger, ...timing });
  await world.fire(name, [{ data: {} }]);
  await world.row('select from rowgate_events.event where relayed_at is not null');
  await relay.close();
  await queue.close();
}

const ended = (name: string) =>
  world.row(
    `select tries, dead_reason from rowgate_events.event
     where trigger = $1 and (delivered_at is not null or dead_at is not null)`,
    [name],
  );
const delivered = { tries: 1, dead_reason: null };

test('a worker with older rules does not queue events of triggers that exist only in newer rules', async () => {
  await markApplied(world, newer);
  await world.fire('new', [{ data: {} }]);
  const worker = await start(older);
  await world.fire('known', [{ data: {} }]);
  expect(await ended('known')).toEqual(delivered);
  await worker.close();
  await start(newer);
  expect(await ended('new')).toEqual(delivered);
});

test('many events that only newer rules know do not delay the events of known triggers', async () => {
  await markApplied(world, newer);
  await world.fire(
    'new',
    Array.from({ length: 600 }, () => ({ data: {} })),
  );
  await start(older);
  await world.fire('known', [{ data: {} }]);
  expect(await ended('known')).toEqual(delivered);
});

test('a worker with older rules returns jobs to the queue whose triggers exist only in newer rules', async () => {
  await markApplied(world, newer);
  await relayed('new', newer);
  const worker = await start(older);
  await world.row(
    `select from rowgate_queue.job where name = 'events' and state = 'retry' and start_after > now()`,
  );
  await worker.close();
  await start(newer);
  await world.owner.query(`update rowgate_queue.job set start_after = now() where name = 'events'`);
  expect(await ended('new')).toEqual(delivered);
});

test('a worker with the last applied rules marks events of unknown triggers as dead', async () => {
  await markApplied(world, older);
  await relayed('new', newer);
  await start(older);
  expect(await ended('new')).toEqual({
    tries: 0,
    dead_reason: 'the metadata has no event trigger "new" any more',
  });
});
