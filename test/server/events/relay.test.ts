import pino from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { prepareEventQueues } from '../../../server/events/event-queues.ts';
import { Relay } from '../../../server/events/relay/relay.ts';
import { readWaiting } from '../../../server/events/relay/relay-sql.ts';
import { openQueue, type Queue } from '../../../server/queue/open-queue.ts';
import { type EventWorld, makeEventWorld, modelOf, trigger } from './support/event-world.ts';

const logger = pino({ level: 'silent' });
const rules = modelOf(trigger('known', { webhook: '/in' }));
let world: EventWorld;
let queue: Queue;
const relays: Relay[] = [];

beforeAll(async () => {
  world = await makeEventWorld();
  queue = await openQueue({ url: world.login.url, works: false, logger });
  await prepareEventQueues(queue.boss);
});

beforeEach(async () => {
  await world.owner.query('truncate rowgate_events.event, rowgate_queue.job');
  await world.owner.query(`update rowgate_events.turn set at = '-infinity'`);
});

afterEach(() => Promise.all(relays.splice(0).map((relay) => relay.close())));

afterAll(async () => {
  await queue.close();
  await world.close();
});

function startRelay(): Relay {
  const relay = new Relay({
    pool: world.pool,
    queue,
    rules: () => rules,
    logger,
    pollMs: 5,
    graceMs: 60_000,
    heartbeatSeconds: 45,
  });
  relays.push(relay);
  return relay;
}

const allRelayed = () =>
  world.row('select where not exists (select from rowgate_events.event where relayed_at is null)');

/**
 * Returns the events of the queued jobs, in the order in which the queue delivers jobs with the
 * same key.
 */
async function queued(name: string): Promise<readonly string[]> {
  const { rows } = await world.owner.query(
    `select data ->> 'id' as id from rowgate_queue.job j where name = $1 order by j.created_on, j.id`,
    [name],
  );
  return rows.map(({ id }) => id);
}

const many = (count: number, key?: string) =>
  Array.from({ length: count }, () => ({ data: {}, ...(key !== undefined && { key }) }));

test('the relay, which queues stored events for delivery, creates their jobs in the order of the events', async () => {
  const ids = await world.fire('known', many(50, 'a'));
  startRelay();
  await allRelayed();
  expect(await queued('events-ordered')).toEqual(ids);
});

test('the relay, which queues stored events for delivery, keeps the order of ordered events although the clock was set back', async () => {
  const first = await world.fire('known', many(2, 'a'));
  const relay = startRelay();
  await allRelayed();
  await relay.close();
  const later = `now() + interval '1 hour'`;
  await world.owner.query(`update rowgate_queue.job set created_on = ${later}`);
  await world.owner.query(`update rowgate_events.turn set at = ${later} where name = 'relay'`);
  const second = await world.fire('known', many(2, 'a'));
  startRelay();
  await allRelayed();
  const third = await world.fire('known', many(2, 'a'));
  await allRelayed();
  expect(await queued('events-ordered')).toEqual([...first, ...second, ...third]);
});

test('the relay, which queues stored events for delivery, does not miss an event that commits after events with higher numbers', async () => {
  const slow = await world.database.connectOwner();
  await slow.query('begin');
  const insert = `insert into rowgate_events.event (trigger, table_schema, table_name, op, data)
    values ('known', 'public', 'thing', 'INSERT', '{}') returning id`;
  const { rows } = await slow.query(insert);
  startRelay();
  const [second] = await world.fire('known', many(1));
  await world.row('select from rowgate_events.event where relayed_at is not null');
  await slow.query('commit');
  await allRelayed();
  expect(await queued('events')).toEqual([second, rows[0].id]);
});

test('several relays at the same time queue one job for each event', async () => {
  const ids = await world.fire('known', many(1500));
  for (let n = 0; n < 4; n += 1) startRelay();
  await allRelayed();
  expect((await queued('events')).toSorted()).toEqual(ids.toSorted());
});

test('the relay, which queues stored events for delivery, marks no event as queued when the queue refuses the jobs', async () => {
  const jobs = 'rowgate_queue.job';
  await world.owner.query(
    `alter table ${jobs} add constraint closed check (name <> 'events') not valid`,
  );
  const [id] = await world.fire('known', many(1));
  const relay = startRelay();
  await relay.close();
  const { rows } = await world.owner.query('select id, relayed_at from rowgate_events.event');
  expect(rows).toEqual([{ id, relayed_at: null }]);
  await world.owner.query(`alter table ${jobs} drop constraint closed`);
  startRelay();
  await allRelayed();
  expect(await queued('events')).toEqual([id]);
});

test('the relay, which queues stored events for delivery, accepts ordering keys of any length', async () => {
  const ids = await world.fire('known', many(2, 'é'.repeat(100_000)));
  startRelay();
  await allRelayed();
  expect(await queued('events-ordered')).toEqual(ids);
});

test('an event of an unknown trigger does not stop the relay of stored events from queuing other events', async () => {
  await world.fire('unknown', many(600));
  const [id] = await world.fire('known', many(1));
  startRelay();
  await world.row('select from rowgate_events.event where relayed_at is not null');
  expect(await queued('events')).toEqual([id]);
});

test('the relay, which queues stored events for delivery, writes the same job data for any date style and time zone of the database', async () => {
  await world.fire('known', [{ data: {} }]);
  const odd = await world.database.connectOwner();
  await odd.query(`set datestyle = 'SQL, DMY'; set timezone = 'Asia/Kolkata'`);
  const asked = { triggers: ['known'], fingerprint: 'known', graceMs: 0, limit: 10 };
  const [event] = await readWaiting(odd, asked);
  expect(event?.at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  expect(await readWaiting(world.owner, asked)).toMatchObject([{ id: event?.id, at: event?.at }]);
});
