import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer } from 'node:net';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type JsonRow, RequestPool } from '../../../server/db/requests/request-pool.ts';
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

const unwanted = new Error('nobody wants this');
const backend = async (from = pool, seconds = 0) =>
  (
    await from.read(
      settings,
      statement(`select pg_backend_pid()::text, pg_sleep(${seconds})::text`),
    )
  )[0];

/** Waits until a statement sleeps, then aborts it. */
async function giveUp(work: (signal: AbortSignal) => Promise<unknown>): Promise<unknown> {
  const abort = new AbortController();
  const outcome = work(abort.signal).catch((error: unknown) => error);
  const watcher = await database.connectOwner();
  const sleeping = `select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`;
  await expect.poll(async () => (await watcher.query(sleeping)).rowCount).toBe(1);
  await watcher.end();
  abort.abort(unwanted);
  return outcome;
}

describe('an aborted request', () => {
  test('is cancelled when it reads, and its connection is reused', async () => {
    const before = await backend();
    const sleep = statement('select pg_sleep(500)::text');
    expect(await giveUp((signal) => pool.read(settings, sleep, { signal }))).toBe(unwanted);
    expect(await backend()).toBe(before);
  });

  test('is cancelled in a snapshot, and its later statements do not run', async () => {
    const before = await backend();
    const outcomes: unknown[] = [];
    const work = giveUp((signal) =>
      pool.snapshot(
        settings,
        async (run) => {
          for (const text of ['select pg_sleep(500)::text', 'select 1::text'])
            outcomes.push(await run(statement(text)).catch((error: unknown) => error));
          return 'read';
        },
        { signal },
      ),
    );
    expect(await work).toBe('read');
    expect(outcomes).toEqual([unwanted, unwanted]);
    expect(await backend()).toBe(before);
  });

  test('runs to its end when it may write', async () => {
    const sleep = statement("select pg_sleep(0.2)::text || 'written'");
    const written: JsonRow = ['written'];
    expect(await giveUp((signal) => pool.write(settings, sleep, { signal }))).toEqual(written);
    const both = (signal: AbortSignal) =>
      pool.transact(settings, async (run) => [await run(sleep), await run(sleep)], { signal });
    expect(await giveUp(both)).toEqual([written, written]);
  });

  test('does not cancel later statements of the connection', async () => {
    const before = await backend();
    const outcomes = new Set<unknown>();
    for (let turn = 0; turn < 60; turn += 1) {
      const abort = new AbortController();
      const sleep = statement(`select pg_sleep(${(turn % 7) / 1000})::text`);
      const read = pool
        .read(settings, sleep, { signal: abort.signal })
        .catch((error: unknown) => error);
      const others = [1, 2, 3].map(() => backend(pool, 0.005));
      // Slightly longer than connecting takes.
      for (let step = 0; step < turn % 12; step += 1) await once(createLink(), 'connect');
      abort.abort(unwanted);
      outcomes.add(await read);
      expect(await Promise.all(others)).toEqual([before, before, before]);
    }
    expect(outcomes).toContain(unwanted);
  });

  test('closes its connection when Postgres cannot be reached for the cancel request', async () => {
    const proxy = await startProxy();
    const from = open(proxy.url);
    const before = await backend(from);
    await proxy.refuse();
    const sleep = statement("select pg_sleep(0.2)::text || 'read'");
    expect(await giveUp((signal) => from.read(settings, sleep, { signal }))).toEqual(['read']);
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

/** Passes all traffic on. It can refuse new connections while open ones stay. */
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
