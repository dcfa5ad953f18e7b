import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { maintainPartitions } from '../../../server/events/partitions.ts';
import { type EventWorld, makeEventWorld } from './support/event-world.ts';

let world: EventWorld;

beforeAll(async () => {
  world = await makeEventWorld();
});

beforeEach(() => world.owner.query('truncate rowgate_events.event, rowgate_events.attempt'));

afterAll(() => world.close());

/**
 * Inserts an event of an earlier day with one delivery attempt, and returns the id of the event.
 */
async function eventOf(daysAgo: number, fate: 'open' | 'delivered' | 'dead'): Promise<string> {
  const { rows } = await world.owner.query(
    `with made as (
       insert into rowgate_events.event
         (trigger, table_schema, table_name, op, data, created_at, delivered_at, dead_at)
       values ('one', 'public', 'thing', 'INSERT', '{}', now() - $1 * interval '1 day',
         case $2 when 'delivered' then now() end, case $2 when 'dead' then now() end)
       returning id, created_at
     ), tried as (
       insert into rowgate_events.attempt (event_id, event_created_at, number, at, duration_ms)
       select id, created_at, 1, created_at, 5 from made
     )
     select id from made`,
    [daysAgo, fate],
  );
  return rows[0].id;
}

const keep = (retentionDays = 14) => maintainPartitions({ pool: world.pool, retentionDays });

async function storedEvents(): Promise<readonly string[]> {
  const { rows } = await world.owner.query(
    'select id from rowgate_events.event order by created_at, place',
  );
  return rows.map(({ id }) => id);
}

const partitionOf = async (id: string): Promise<string> => {
  const { rows } = await world.owner.query(
    `select tableoid::regclass::text as partition,
       'rowgate_events.event_' || to_char(created_at at time zone 'UTC', 'YYYYMMDD') as expected
     from rowgate_events.event where id = $1`,
    [id],
  );
  expect(rows[0].partition).toBe(rows[0].expected);
  return rows[0].partition;
};

test('the maintenance of the event table creates partitions for today and the next fourteen days', async () => {
  const { rows: made } = await world.owner.query<{ drop: string }>(
    `select format('drop table %s', c.oid::regclass) as drop from pg_inherits i
     join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'rowgate_events.event'::regclass and c.relname > 'event_' || to_char(now() at time zone 'UTC', 'YYYYMMDD')
       and c.relname <> 'event_default'`,
  );
  for (const one of made) await world.owner.query(one.drop);
  await keep();
  const { rows } = await world.owner.query(
    `select count(*)::integer as days from generate_series(0, 14) n
     where to_regclass('rowgate_events.event_' ||
       to_char(now() at time zone 'UTC' + n * interval '1 day', 'YYYYMMDD')) is not null`,
  );
  expect(rows).toEqual([{ days: 15 }]);
});

test('the maintenance of the event table moves events of a day without a partition into a new one', async () => {
  const id = await eventOf(3, 'open');
  await keep();
  await partitionOf(id);
});

test('the maintenance of the event table drops partitions after the retention, with their delivered and dead events', async () => {
  await eventOf(16, 'delivered');
  await eventOf(16, 'dead');
  const young = await eventOf(13, 'delivered');
  await keep();
  expect(await storedEvents()).toEqual([young]);
});

test('the maintenance of the event table deletes the attempts of deleted events', async () => {
  await eventOf(20, 'delivered');
  const young = await eventOf(2, 'delivered');
  await keep();
  const { rows } = await world.owner.query('select event_id from rowgate_events.attempt');
  expect(rows).toEqual([{ event_id: young }]);
});

test('the maintenance of the event table keeps an old event that is still pending, and deletes the other events of its day', async () => {
  const open = await eventOf(30, 'open');
  await eventOf(30, 'delivered');
  await keep();
  expect(await storedEvents()).toEqual([open]);
});

test('the maintenance of the event table drops the partition of an old day once its last pending event was delivered', async () => {
  const open = await eventOf(40, 'open');
  await keep();
  const partition = await partitionOf(open);
  await world.owner.query('update rowgate_events.event set delivered_at = now()');
  await keep();
  const { rows } = await world.owner.query('select to_regclass($1) as there', [partition]);
  expect([await storedEvents(), rows]).toEqual([[], [{ there: null }]]);
});

test('the maintenance of the event table keeps events for the configured time', async () => {
  await eventOf(3, 'delivered');
  await keep(2);
  expect(await storedEvents()).toEqual([]);
});

test('the maintenance of the event table changes nothing when it runs a second time', async () => {
  await eventOf(5, 'open');
  await keep();
  expect(await keep()).toEqual({ made: 0, dropped: 0 });
});

test('the maintenance of the event table skips a partition that a transaction is writing to', async () => {
  await eventOf(25, 'delivered');
  const writer = await world.database.connectOwner();
  await writer.query('begin');
  await writer.query('update rowgate_events.event set tries = 1');
  const { dropped } = await keep();
  await writer.query('rollback');
  expect([dropped, (await storedEvents()).length]).toEqual([0, 1]);
});

test('the maintenance of the event table deletes old events row by row without a lock that would block the capture of new ones', async () => {
  await eventOf(31, 'delivered');
  await eventOf(30, 'open');
  await eventOf(30, 'delivered');
  await keep(100);
  const watcher = await world.database.connectOwner();
  await watcher.query(`create table public.seen (locks bigint)`);
  await watcher.query(`create function public.see() returns trigger language plpgsql as $$ begin
    insert into public.seen select count(*) from pg_locks
    where pid = pg_backend_pid() and relation = 'rowgate_events.event'::regclass and mode = 'AccessExclusiveLock';
    return null; end $$`);
  await watcher.query(
    'create trigger see after delete on rowgate_events.event for each row execute function public.see()',
  );
  await watcher.query('select rowgate_events.clean(14)');
  await watcher.query('drop trigger see on rowgate_events.event');
  const { rows } = await watcher.query('select locks::integer from public.seen');
  expect([rows, (await storedEvents()).length]).toEqual([[{ locks: 0 }], 1]);
});

test('two workers that run the maintenance of the event table at the same time do its work once', async () => {
  await keep();
  await eventOf(50, 'open');
  const outcomes = await Promise.all([keep(), keep(), keep()]);
  expect(outcomes.map(({ made }) => made).toSorted()).toEqual([0, 0, 1]);
});

test('no role except the service login of the worker may create or drop partitions', async () => {
  const owner = await world.database.connectSuperuser();
  await owner.query('create role events_stranger');
  await owner.query('grant usage on schema rowgate_events to events_stranger');
  await owner.query('set role events_stranger');
  const refusal = owner.query('select rowgate_events.clean(1)');
  await expect(refusal).rejects.toThrow('permission denied for function clean');
  await owner.query('reset role');
  await owner.query('drop owned by events_stranger; drop role events_stranger');
});
