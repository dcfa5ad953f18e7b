import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import pino from 'pino';
import { afterEach, expect, inject, test } from 'vitest';
import { parseConfig } from '../../../server/config/config.ts';
import { startEmbedded } from '../../../server/db/embedded/start-embedded.ts';
import { migrateScopes } from '../../../server/db/preparation.ts';
import { openEvents } from '../../../server/events/open-events.ts';
import { openQueue } from '../../../server/queue/open-queue.ts';
import { openPool } from '../../support/open-pool.ts';
import { until } from '../../support/until.ts';
import {
  makeEventWorld,
  modelOf,
  platformSecret,
  startWorker,
  trigger,
} from './support/event-world.ts';
import { type Receiver, refuse, startReceiver, take } from './support/receiver.ts';

const logger = pino({ level: 'silent' });
const closers: (() => Promise<unknown>)[] = [];
const allDelivered =
  'select where not exists (select from rowgate_events.event where delivered_at is null)';
const quick = { interval: 0.001, maxInterval: 0.001 };

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function receiverOf(): Promise<Receiver> {
  const receiver = await startReceiver();
  closers.push(() => receiver.close());
  return receiver;
}

test('an event is delivered after its receiver has failed twenty times and recovers', async () => {
  const world = await makeEventWorld();
  closers.push(() => world.close());
  const receiver = await receiverOf();
  receiver.react = (response, received) => {
    const react = receiver.received.length <= 20 ? refuse : take;
    react(response, received);
  };
  const model = modelOf(trigger('patient', { webhook: receiver.url, retry: quick }));
  const worker = await startWorker({ world, model: () => model });
  closers.push(() => worker.close());
  const [id] = await world.fire('patient', [{ data: {} }]);
  const found = await world.row(
    'select tries, dead_at from rowgate_events.event where id = $1 and delivered_at is not null',
    [id],
  );
  expect(found).toEqual({ tries: 21, dead_at: null });
});

test('an event that the worker temporarily cannot read is delivered once it can', async () => {
  const world = await makeEventWorld();
  closers.push(() => world.close());
  const receiver = await receiverOf();
  receiver.react = refuse;
  const retry = { limit: 1, interval: 3600, maxInterval: 3600 };
  const model = modelOf(trigger('hidden', { webhook: receiver.url, retry }));
  const worker = await startWorker({ world, model: () => model });
  closers.push(() => worker.close());
  const [id] = await world.fire('hidden', [{ data: {} }]);
  await world.row(`select from rowgate_queue.job where state = 'retry'`);
  receiver.react = take;
  const name = pg.escapeIdentifier(world.login.name);
  await world.owner.query(`revoke select on rowgate_events.event from ${name}`);
  await world.owner.query(`update rowgate_queue.job set start_after = now() where state = 'retry'`);
  // Waits for more retries than an event gets whose worker dies, because these failures must not count as deaths.
  await world.row('select from rowgate_queue.job where retry_count > 12');
  await world.owner.query(`grant select on rowgate_events.event to ${name}`);
  const found = await world.row(
    'select tries, dead_at from rowgate_events.event where id = $1 and delivered_at is not null',
    [id],
  );
  expect(found).toEqual({ tries: 2, dead_at: null });
});

test('workers continue after a restart of Postgres, and no event is lost', async () => {
  const dataDir = await mkdtemp(path.join(inject('scratch'), 'restarted-'));
  const start = () => startEmbedded({ dataDir, logger, durable: false });
  const cluster = await start();
  closers.push(() => rm(cluster.folder, { recursive: true, force: true }));
  const url = cluster.ownerUrl;
  const query = async (text: string) => {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    await client.connect();
    return (await client.query(text).finally(() => client.end())).rows;
  };
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  await migrateScopes(owner, ['gateway']);
  await owner.end();
  const receiver = await receiverOf();
  const model = modelOf(trigger('steady', { webhook: receiver.url, retry: quick }));
  const { config } = parseConfig({ DATABASE_URL: url }, dataDir);
  const pool = openPool({ connectionString: url });
  closers.push(() => pool.end());
  const queue = await openQueue({ url, works: true, superviseSeconds: 1, logger });
  closers.push(() => queue.close());
  const events = await openEvents({
    config,
    queue,
    pool,
    listenUrl: url,
    model: () => model,
    platformSecret,
    logger,
    tuning: { workerPollMs: 50, relayPollMs: 50, heartbeatSeconds: 1 },
  });
  closers.push(() => events.close());
  const fire = (count: number) =>
    query(`insert into rowgate_events.event (trigger, table_schema, table_name, op, data)
           select 'steady', 'public', 'thing', 'INSERT', '{}' from generate_series(1, ${count})`);
  // Keeps this many deliveries open at the receiver at the moment when the database connections
  // break.
  receiver.react = (response) => setImmediate(() => response.end());
  await fire(500);
  await receiver.count(100);
  await cluster.stop();
  const again = await start();
  closers.push(() => again.stop());
  await fire(100);
  const watcher = new pg.Client({ connectionString: again.ownerUrl });
  await watcher.connect();
  closers.push(() => watcher.end());
  await until(async () => (await watcher.query(allDelivered)).rows[0]);
  const arrived = new Set(receiver.received.map(({ event }) => event.id));
  const fired = await query('select id from rowgate_events.event');
  expect([fired.length, fired.filter(({ id }) => !arrived.has(id))]).toEqual([600, []]);
});
