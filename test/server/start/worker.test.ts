import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { migrateScopes } from '../../../server/db/preparation.ts';
import { makeDataFolder, removeFolders } from '../../support/data-folder.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { startTestServer, type TestServer } from '../../support/http.ts';
import { query } from '../../support/query.ts';

const inTime = { timeout: 20_000, interval: 50 };
const person = 'local|worker-test';
const insertPerson = `insert into public."user" (id, organization_id, email)
  values ('${person}', '00000000-0000-4000-8000-000000000001', 'worker@alder.example')`;

describe('a server process started with --only worker', () => {
  let database: TestDatabase;
  let front: TestServer;
  let worker: TestServer | undefined;

  beforeAll(async () => {
    database = await createDatabase({ from: 'applied' });
    front = await startTestServer({ database, rest: true });
  });
  afterEach(() => worker?.stop());
  afterAll(async () => {
    await front.stop();
    await database.drop();
  });

  async function startWorker(): Promise<TestServer> {
    worker = await startTestServer({
      database,
      graphql: false,
      worker: true,
      environment: {
        ROWGATE_WEBHOOK_BASE_URL: front.url,
        ROWGATE_METRICS_TOKEN: 'm'.repeat(16),
        // Both processes share the folder, because it contains the passwords of the logins that
        // they use.
        ROWGATE_DATA_DIR: front.config.dataDir,
      },
    });
    return worker;
  }

  test('answers at the health and metrics endpoints, and serves no GraphQL, sessions or webhooks', async () => {
    const { fetch } = await startWorker();
    const statusOf = async (path: string, init?: RequestInit) => (await fetch(path, init)).status;
    const metrics = { headers: { Authorization: `Bearer ${'m'.repeat(16)}` } };

    expect({
      health: await statusOf('/healthz'),
      ready: await statusOf('/readyz'),
      metrics: await statusOf('/metrics', metrics),
      publicMetrics: await statusOf('/metrics'),
      graphql: await statusOf('/v1/graphql', { method: 'POST' }),
      session: await statusOf('/auth/session'),
      webhook: await statusOf('/webhooks/on-user-insert', { method: 'POST' }),
    }).toEqual({
      health: 200,
      ready: 200,
      metrics: 200,
      publicMetrics: 401,
      graphql: 404,
      session: 404,
      webhook: 404,
    });
  });

  test('delivers events, while a process without the worker does not', async () => {
    await query(database.superuserUrl, insertPerson);
    const wallets = `select count(*)::int as wallets from public.digital_wallet where user_id = '${person}'`;
    expect(await query(database.superuserUrl, wallets)).toEqual([{ wallets: 0 }]);

    await startWorker();

    await vi.waitFor(async () => {
      expect(await query(database.superuserUrl, wallets)).toEqual([{ wallets: 3 }]);
    }, inTime);
  });
});

describe('a server process whose worker delivers events to its own endpoints', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createDatabase({ from: 'applied' });
  });
  afterAll(() => database.drop());

  test('still accepts requests while it stops, until its deliveries have ended', async () => {
    const server = await startTestServer({ database, rest: true, worker: true });
    const other = await database.connectOwner();
    // The handler of the event creates wallets, so this lock makes the handler wait.
    await other.query('begin; lock table public.digital_wallet in exclusive mode');
    await query(database.superuserUrl, insertPerson);
    const held = `select count(*)::int as held from pg_catalog.pg_locks
      where relation = 'public.digital_wallet'::regclass and not granted`;
    await vi.waitFor(async () => {
      expect(await query(database.superuserUrl, held)).toEqual([{ held: 1 }]);
    }, inTime);

    const stopped = server.stop();
    const { status } = await server.fetch('/healthz');
    await other.query('rollback');
    await stopped;

    expect(status).toBe(200);
    const attempts = `select e.trigger, e.delivered_at is not null as delivered, e.tries, a.status
      from rowgate_events.event e join rowgate_events.attempt a on a.event_id = e.id`;
    expect(await query(database.superuserUrl, attempts)).toEqual([
      { trigger: 'user_insert', delivered: true, tries: 1, status: 200 },
    ]);
  });
});

describe('a worker on a database without the tables of the platform', () => {
  let database: TestDatabase;
  let receiver: Server;
  const received: unknown[] = [];

  beforeAll(async () => {
    database = await createDatabase();
    receiver = createServer(async (request, response) => {
      received.push(await json(request));
      response.end();
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
  });
  afterAll(async () => {
    receiver.close();
    await database.drop();
    await removeFolders();
  });

  test("delivers the events of that database's own tables", async () => {
    const { port } = receiver.address() as AddressInfo;
    const owner = await database.connectOwner();
    await migrateScopes(owner, ['gateway']);
    await owner.query('create table public.note (id int primary key, text text)');
    const worker = await startTestServer({
      database,
      metadata: await writeMetadata(`http://127.0.0.1:${port}/notes`),
      worker: true,
    });

    await worker.graphql('mutation { insert_note_one(object: { id: 1, text: "heard" }) { id } }');

    await vi.waitFor(() => {
      expect(received).toMatchObject([
        {
          trigger: { name: 'note_insert' },
          table: { schema: 'public', name: 'note' },
          event: { op: 'INSERT', data: { old: null, new: { id: 1, text: 'heard' } } },
        },
      ]);
    }, inTime);
    await worker.stop();
  });
});

async function writeMetadata(webhook: string): Promise<string> {
  const folder = await makeDataFolder();
  await mkdir(path.join(folder, 'tables'));
  await writeFile(path.join(folder, 'roles.yaml'), 'roles: { reader: { purpose: reads notes } }\n');
  await writeFile(
    path.join(folder, 'tables/note.yaml'),
    `table: note
permissions: { reader: { select: { filter: {}, columns: '*' } } }
events: { note_insert: { operations: [insert], webhook: '${webhook}' } }
`,
  );
  return folder;
}
