/*
 * Measures events from a row change to a receiver on the same machine: the rate per second, the latency at a steady pace,
 * and the cost of capturing for a statement. Takes about a minute.
 */
import { once } from 'node:events';
import { loadavg } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import pg from 'pg';
import pino from 'pino';
import { applyMetadata, loadModel } from '../permissions/index.ts';
import { parseConfig } from '../server/config/config.ts';
import { migrateScopes } from '../server/db/preparation.ts';
import { openEvents } from '../server/events/open-events.ts';
import { openQueue } from '../server/queue/open-queue.ts';
import { startBenchCluster } from './database.ts';
import { quantile, spread } from './measure.ts';

const metadata = path.join(import.meta.dirname, 'events-metadata');
const logger = pino({ level: 'warn' });
const backlog = 5000;
const rounds = 3;
const paceMs = 20;
const paced = 500;
const singles = 300;
const bulks = 15;

/** Collects received events. */
class Arrivals {
  readonly #thread = new Worker(new URL('./events/event-receiver.ts', import.meta.url));
  #onTheWay: number[] = [];

  async start(): Promise<string> {
    const [{ port }] = await once(this.#thread, 'message');
    this.#thread.on('message', ({ onTheWay }) => this.#onTheWay.push(...onTheWay));
    return `http://127.0.0.1:${port}`;
  }

  /** Waits for this number of events. Returns the latency of each in milliseconds. */
  async take(count: number): Promise<readonly number[]> {
    while (this.#onTheWay.length < count) await once(this.#thread, 'message');
    return this.#onTheWay.splice(0);
  }

  end(): Promise<number> {
    return this.#thread.terminate();
  }
}

const insert = (table: string, rows: number) =>
  `insert into public.${table} (account, amount)
   select n % 50, 12.50 from generate_series(1, ${rows}) n`;

/** Runs statements on both tables in turns. Returns the milliseconds of each. */
async function timeInserts(owner: pg.Client, rows: number, count: number) {
  const times = { quiet: [] as number[], payment: [] as number[] };
  for (let turn = -3; turn < count; turn += 1) {
    for (const table of ['quiet', 'payment'] as const) {
      const began = performance.now();
      await owner.query(insert(table, rows));
      if (turn >= 0) times[table].push(performance.now() - began);
    }
  }
  return times;
}

async function tellCapture(owner: pg.Client): Promise<void> {
  for (const [rows, count] of [
    [1, singles],
    [1000, bulks],
  ] as const) {
    const { quiet, payment } = await timeInserts(owner, rows, count);
    console.log(`  insert of ${rows}: ${spread(quiet, 2)} ms without event triggers`);
    console.log(`  insert of ${rows}: ${spread(payment, 2)} ms with`);
  }
}

const cluster = await startBenchCluster();
const arrivals = new Arrivals();
const closers: (() => Promise<unknown>)[] = [cluster.remove, () => arrivals.end()];
try {
  const receiver = await arrivals.start();
  const { config } = parseConfig(
    { DATABASE_URL: cluster.ownerUrl, BENCH_RECEIVER: receiver },
    cluster.folder,
  );
  const owner = new pg.Client({ connectionString: cluster.ownerUrl });
  await owner.connect();
  closers.push(() => owner.end());
  await migrateScopes(owner, ['gateway']);
  for (const table of ['payment', 'quiet']) {
    await owner.query(`create table public.${table} (
      id uuid primary key default gen_random_uuid(), account integer not null, amount numeric not null,
      note text not null default 'for what it was bought', made_at timestamptz not null default now())`);
  }
  const { headerPrefix } = config;
  await applyMetadata(owner, { metadata, headerPrefix, password: 'benchmark-gateway-password' });
  const model = await loadModel({ metadata, client: owner, headerPrefix });
  console.log(`load of the machine before: ${loadavg()[0]?.toFixed(1)}`);
  await tellCapture(owner);
  await owner.query('truncate rowgate_events.event');

  const pool = new pg.Pool({ connectionString: cluster.ownerUrl });
  closers.push(() => pool.end());
  const start = async () => {
    const url = cluster.ownerUrl;
    const queue = await openQueue({ url, works: true, logger });
    const events = await openEvents({
      config,
      queue,
      pool,
      listenUrl: url,
      model: () => model,
      platformSecret: '',
      logger,
    });
    return async () => {
      await events.close();
      await queue.close();
    };
  };
  const statements = {
    'in any order': insert('payment', backlog),
    'in order, 50 keys': `update public.payment set amount = amount + 1
       where ctid in (select ctid from public.payment limit ${backlog})`,
  };
  for (const [title, statement] of Object.entries(statements)) {
    const rates: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await owner.query(statement);
      const began = performance.now();
      const stop = await start();
      await arrivals.take(backlog);
      rates.push((backlog * 1000) / (performance.now() - began));
      await stop();
    }
    console.log(`  ${spread(rates)} events/s ${title}, from a backlog of ${backlog}`);
  }
  const stop = await start();
  for (let turn = 0; turn < paced; turn += 1) {
    await Promise.all([owner.query(insert('payment', 1)), delay(paceMs)]);
  }
  const times = await arrivals.take(paced);
  await stop();
  const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)];
  console.log(`  at ${1000 / paceMs} events/s: ${p50} ms on the way (p50), ${p99} ms (p99)`);
  console.log(`load of the machine after: ${loadavg()[0]?.toFixed(1)}`);
} finally {
  for (const close of closers.reverse()) await close();
}
