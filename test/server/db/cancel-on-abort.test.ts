import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer } from 'node:net';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RequestPool } from '../../../server/db/requests/request-pool.ts';
import type { JsonRow } from '../../../server/db/requests/transaction.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';

const logger = pino({ level: 'silent' });
const settings = {
  ...{ role: 'rowgate_owner', searchPath: 'pg_catalog' },
  share: { role: 'rowgate_owner', caller: 'a', weight: 1 },
  ...{ names: [], values: new Map<string, string>() },
};
const statement = (text: string) => ({ text, values: [], name: undefined });

let database: TestDatabase;
let pool: RequestPool;
const open = (connectionString: string) =>
  new RequestPool({
    ...{ connectionString, size: 1, maxWaitMs: 60_000 },
    ...{ statementTimeoutMs: 600_000, logger },
  });
beforeAll(async () => {
  database = await createDatabase();
  pool = open(database.ownerUrl);
});
afterAll(async () => {
  await pool.close();
  await database.drop();
});

const aborted = new Error('the client has hung up');
const backend = async (from = pool, seconds = 0) =>
  (
    await from.read(
      settings,
      statement(`select pg_backend_pid()::text, pg_sleep(${seconds})::text`),
    )
  )[0];

type Work = (signal: AbortSignal) => Promise<unknown>;

/** Aborts the work when its statement waits for the named event in Postgres, then calls `next`. */
async function abortDuring(event: 'PgSleep' | 'advisory', work: Work, next = async () => {}) {
  const abort = new AbortController();
  const outcome = work(abort.signal).catch((error: unknown) => error);
  const watcher = await database.connectOwner();
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event = '${event}'`;
  await expect.poll(async () => (await watcher.query(waiting)).rowCount).toBe(1);
  await watcher.end();
  abort.abort(aborted);
  await next();
  return outcome;
}

const sleep = statement('select pg_sleep(500)::text');
const lock = (answer: string) => statement(`select pg_advisory_xact_lock(1)::text || '${answer}'`);

/**
 * Holds a lock that the statement of `work` needs, and aborts `work` while the statement waits. Then calls `next`, and
 * releases the lock, so that the statement can end.
 */
async function abortBeforeLock(work: Work, next = async () => {}): Promise<unknown> {
  const holder = await database.connectOwner();
  await holder.query('select pg_advisory_lock(1)');
  return abortDuring('advisory', work, async () => {
    await next();
    await holder.end();
  });
}

describe('a database request whose client disconnects', () => {
  test('is cancelled in Postgres when it only reads, and its connection is used again', async () => {
    const before = await backend();
    const read: Work = (signal) => pool.read(settings, sleep, { signal });
    expect(await abortDuring('PgSleep', read)).toBe(aborted);
    expect(await backend()).toBe(before);
  });

  test('is cancelled in a snapshot of several reads, and the later reads do not run', async () => {
    const before = await backend();
    const outcomes: unknown[] = [];
    const work = abortDuring('PgSleep', (signal) =>
      pool.snapshot(
        settings,
        async (run) => {
          for (const each of [sleep, statement('select 1::text')])
            outcomes.push(await run(each).catch((error: unknown) => error));
          return 'read';
        },
        { signal },
      ),
    );
    expect(await work).toBe('read');
    expect(outcomes).toEqual([aborted, aborted]);
    expect(await backend()).toBe(before);
  });

  test('runs to its end when it may write', async () => {
    const another = open(database.ownerUrl);
    // Cancels a read on a second pool. A wrong cancel request for the write would reach Postgres before this request.
    const cancelAnother = async () => {
      await abortDuring('PgSleep', (signal) => another.read(settings, sleep, { signal }));
    };
    const written: JsonRow = ['written'];
    const one: Work = (signal) => pool.write(settings, [lock('written')], { signal });
    expect(await abortBeforeLock(one, cancelAnother)).toEqual([written]);
    const several: Work = (signal) =>
      pool.write(settings, [lock('written'), lock('written')], { signal });
    expect(await abortBeforeLock(several, cancelAnother)).toEqual([written, written]);
    const both: Work = (signal) =>
      pool.transact(
        settings,
        async (run) => [await run(lock('written')), await run(lock('written'))],
        { signal },
      );
    expect(await abortBeforeLock(both, cancelAnother)).toEqual([written, written]);
    await another.close();
  });

  test('does not cancel the next statement on the same connection', async () => {
    const before = await backend();
    const outcomes = new Set<unknown>();
    for (let turn = 0; turn < 60; turn += 1) {
      const abort = new AbortController();
      const short = statement(`select pg_sleep(${(turn % 7) / 1000})::text`);
      const read = pool
        .read(settings, short, { signal: abort.signal })
        .catch((error: unknown) => error);
      const others = [1, 2, 3].map(() => backend(pool, 0.005));
      // Waits for the time that opening this many connections takes, so that the abort comes at another moment of the
      // read in each turn.
      for (let step = 0; step < turn % 12; step += 1) await once(createLink(), 'connect');
      abort.abort(aborted);
      outcomes.add(await read);
      expect(await Promise.all(others)).toEqual([before, before, before]);
    }
    expect(outcomes).toContain(aborted);
  });

  test('closes its connection when the cancel request cannot reach Postgres', async () => {
    const proxy = await startProxy();
    const from = open(proxy.url);
    const before = await backend(from);
    await proxy.refuse();
    const read: Work = (signal) => from.read(settings, lock('read'), { signal });
    expect(await abortBeforeLock(read)).toEqual(['read']);
    await proxy.accept();
    expect(await backend(from)).not.toBe(before);
    await from.close();
    await proxy.refuse();
  });
});

function createLink() {
  const { hostname, port } = new URL(database.ownerUrl);
  const link = createConnection({ host: hostname, port: Number(port) });
  link.once('connect', () => link.end());
  return link;
}

/**
 * Starts a proxy for all traffic to Postgres. It can refuse new connections while open ones
 * continue.
 */
async function startProxy() {
  const target = new URL(database.ownerUrl);
  const postgres = { host: target.hostname, port: Number(target.port) };
  const server = createServer((client) => {
    const upstream = createConnection(postgres);
    client.pipe(upstream).pipe(client);
    client.on('error', () => upstream.destroy());
    upstream.on('error', () => client.destroy());
  });
  const listen = (port: number) => once(server.listen(port, '127.0.0.1'), 'listening');
  await listen(0);
  const { port } = server.address() as AddressInfo;
  target.host = `127.0.0.1:${port}`;
  return {
    url: target.href,
    accept: () => listen(port),
    refuse: async () => void server.close(),
  };
}
