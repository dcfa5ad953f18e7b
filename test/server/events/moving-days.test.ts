import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadEvents } from '../../../server/events/worker/load-events.ts';
import { until } from '../../support/until.ts';
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
  receiver = await startReceiver();
});

afterAll(async () => {
  await receiver.close();
  await world.close();
});

/** Resolves once a statement that contains this text waits for a lock. */
async function waits(text: string): Promise<void> {
  const superuser = await world.database.connectSuperuser();
  const waiting = `select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like $1`;
  await until(async () => (await superuser.query(waiting, [`%${text}%`])).rowCount);
}

test('an event is marked as delivered although it moves to another partition at that moment', async () => {
  const asked = Promise.withResolvers<Parameters<Reaction>>();
  receiver.react = (...one) => asked.resolve(one);
  const model = modelOf(trigger('late', { webhook: receiver.url }));
  const worker = await startWorker({ world, model: () => model });
  await world.row(`select from rowgate_events.turn where name = 'upkeep' and at > '-infinity'`);
  await world.owner.query(
    `insert into rowgate_events.event (trigger, table_schema, table_name, op, data, created_at)
     values ('late', 'public', 'thing', 'INSERT', '{}', now() - interval '9 days');
     notify rowgate_event`,
  );
  const [response, received] = await asked.promise;
  const mover = await world.database.connectOwner();
  await mover.query('begin');
  await mover.query('select rowgate_events.prepare_days(14)');
  take(response, received);
  await waits('insert into rowgate_events.attempt');
  await mover.query('commit');
  const found = await world.row(
    'select tries from rowgate_events.event where delivered_at is not null',
  );
  const attempts = await world.row('select count(*)::integer as count from rowgate_events.attempt');
  await worker.close();
  expect([found, attempts]).toEqual([{ tries: 1 }, { count: 1 }]);
});

test('a worker finds an event although it moves to another partition while the worker loads it', async () => {
  const job = await world.row(
    `insert into rowgate_events.event (trigger, table_schema, table_name, op, data, created_at)
     values ('asked', 'public', 'thing', 'INSERT', '{}', now() - interval '8 days')
     returning id, created_at::text as at`,
  );
  const mover = await world.database.connectOwner();
  await mover.query('begin');
  await mover.query('select rowgate_events.prepare_days(14)');
  const loading = loadEvents(world.pool, [job], {});
  await waits('delivery_info');
  await mover.query('commit');
  expect([...(await loading).keys()]).toEqual([job.id]);
});
