import { appendFile, cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { parseDocument } from 'yaml';
import { makeLogger } from '../../../server/log/log.ts';
import { makeDataFolder, removeFolders } from '../../support/data-folder.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { startTestServer, type TestServer } from '../../support/http.ts';
import { LogCapture } from '../../support/log-capture.ts';
import { query } from '../../support/query.ts';

const schema = `create table fund (id int primary key, name text);
insert into fund values (1, 'Cedar Growth'), (2, 'Cedar Income')`;

let database: TestDatabase;
let metadata: string;
let server: TestServer;
const log = new LogCapture();

async function start(): Promise<void> {
  database = await createDatabase();
  await query(database.ownerUrl, schema);
  metadata = await makeDataFolder();
  await mkdir(path.join(metadata, 'tables'));
  await writeFile(path.join(metadata, 'roles.yaml'), 'roles: { idle: {} }\n');
  await writeFile(path.join(metadata, 'tables/fund.yaml'), 'table: fund\npermissions: {}\n');
  const logger = makeLogger({ logLevel: 'info', headerPrefix: 'X-Gql-' }, log);
  const environment = { ROWGATE_DRIFT_INTERVAL: '60' };
  server = await startTestServer({ database, metadata, environment, logger });
  // The first check for drift runs after the start.
  await vi.waitFor(async () => expect(await readiness()).toEqual(ready), { timeout: 10_000 });
}

async function stop(): Promise<void> {
  await server.stop();
  await removeFolders();
  await database.drop();
}

beforeEach(() => log.forget());

/** Copies the served metadata and adds a role that can read the names of all funds. */
async function copyWithRole(role: string): Promise<string> {
  const folder = await makeDataFolder();
  await cp(metadata, folder, { recursive: true });
  await addRole(folder, role);
  return folder;
}

async function addRole(folder: string, role: string): Promise<void> {
  await edit(path.join(folder, 'roles.yaml'), ['roles', role], {});
  await edit(path.join(folder, 'tables/fund.yaml'), ['permissions', role], {
    select: { filter: {}, columns: ['name'] },
  });
}

async function edit(file: string, place: readonly string[], value: unknown): Promise<void> {
  const document = parseDocument(await readFile(file, 'utf8'));
  document.setIn(place, document.createNode(value));
  await writeFile(file, document.toString());
}

async function readiness(): Promise<unknown> {
  const response = await server.fetch('/readyz');
  return [response.status, await response.json()];
}

const ready = [200, { status: 'ready', reasons: [] }];

const names = [{ name: 'Cedar Growth' }, { name: 'Cedar Income' }];

async function namesFor(role: string): Promise<unknown> {
  const { body } = await server.graphql('{ fund { name } }', { 'X-Gql-Role': role });
  return body.data?.fund;
}

describe('a server whose database', () => {
  beforeAll(start);
  afterAll(stop);

  test('stops answers 503 at /readyz, and 200 once the database is back', async () => {
    const url = inject('superuserUrl');
    const { name } = database;
    await query(
      url,
      `alter database ${name} allow_connections false`,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
    );
    expect(await readiness()).toMatchObject([
      503,
      { reasons: [expect.stringContaining('the database does not answer')] },
    ]);
    expect((await server.fetch('/healthz')).status).toBe(200);
    await query(url, `alter database ${name} allow_connections true`);
    // The reload that failed during the outage must have succeeded by now.
    await expect.poll(readiness, { timeout: 30_000 }).toEqual(ready);
  });

  test('makes a reload of the rules fail retries it until it succeeds', async () => {
    const notifier = await database.connectOwner();
    const url = inject('superuserUrl');
    const others = `from pg_stat_activity where datname = '${database.name}' and pid <> ${await backendOf(notifier)}`;
    const listening = `select count(*)::int as n ${others} and query like 'listen %'`;
    await expect.poll(() => query(url, listening)).toEqual([{ n: 1 }]);
    await query(url, `alter database ${database.name} allow_connections false`);
    // A connection that was being opened meanwhile appears only later.
    await expect
      .poll(async () => {
        // Ends all connections except the listener's. A new listener would reload the rules anyway, and hide a missing
        // retry.
        await query(
          url,
          `select pg_terminate_backend(pid) ${others} and query not like 'listen %'`,
        );
        await notifier.query('notify rowgate_applied');
        return log.text;
      })
      .toContain('cannot reload the metadata');
    await query(url, `alter database ${database.name} allow_connections true`);
    await expect.poll(readiness, { timeout: 30_000 }).toEqual(ready);
    await notifier.end();
  });
});

async function backendOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query('select pg_backend_pid() as pid');
  return rows[0].pid;
}

// Each test depends on the metadata that the previous test applied.
describe('metadata that `rowgate apply` applies', { shuffle: false }, () => {
  beforeAll(start);
  afterAll(stop);

  test('to a running server takes effect without a restart', async () => {
    await addRole(metadata, 'reader');
    await server.apply(metadata);
    await log.lineWith('reloaded the metadata');
    expect(await namesFor('reader')).toEqual(names);
    expect(await readiness()).toEqual(ready);
  });

  test("from another folder than the server's makes /readyz answer 503 with the reason", async () => {
    await server.apply(await copyWithRole('other'));
    await log.lineWith('reloaded the metadata');
    expect(await readiness()).toEqual([
      503,
      {
        status: 'not ready',
        reasons: [
          'other rules were applied to the database than this server loads: the metadata folder or the version of Rowgate differs; run rowgate apply',
        ],
      },
    ]);
  });

  test("but that the server cannot load leaves the server's old rules in force", async () => {
    const other = await copyWithRole('another');
    await appendFile(path.join(metadata, 'roles.yaml'), '\n  broken: [\n');
    await server.apply(other);
    await log.lineWith('the old rules stay in force');
    expect(await namesFor('reader')).toEqual(names);
    expect(await namesFor('another')).toBeUndefined();
    expect(await readiness()).toMatchObject([503, { status: 'not ready' }]);
  });
});

test('a server whose rules an older program has applied asks for an apply, in its log and at /readyz', async () => {
  const reason =
    'other rules were applied to the database than this server loads: the metadata folder or the version of Rowgate differs; run rowgate apply';
  const old = await createDatabase({ from: 'applied' });
  await query(old.superuserUrl, "update rowgate.installation set fingerprint = 'older'");
  const lines = new LogCapture();
  const logger = makeLogger({ logLevel: 'info', headerPrefix: 'X-Gql-' }, lines);
  const outdated = await startTestServer({ database: old, logger });
  expect(await lines.lineWith(reason)).toMatchObject({ level: 'error' });
  expect(await (await outdated.fetch('/readyz')).json()).toMatchObject({ reasons: [reason] });
  await outdated.stop();
  await old.drop();
});
