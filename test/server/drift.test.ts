import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { makeLogger } from '../../server/log.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { platformMetadata, startTestServer, type TestServer } from '../support/http.ts';
import { LogCapture } from '../support/log-capture.ts';
import { query } from '../support/query.ts';

let database: TestDatabase;
let server: TestServer;
let log: LogCapture;

async function start(environment: Record<string, string>): Promise<void> {
  log = new LogCapture();
  const logger = makeLogger({ logLevel: 'info', headerPrefix: 'X-Gql-' }, log);
  server = await startTestServer({ database, logger, environment });
}

beforeAll(async () => {
  database = await createDatabase({ from: 'platform' });
});
afterAll(() => database.drop());

const open = 'alter table public.invoice disable row level security';
const behind = "the database was changed behind Rowgate's back";

/** A notice before the server listens is lost. */
async function listening(): Promise<void> {
  const sql =
    "select 1 from pg_stat_activity where datname = current_database() and query = 'listen rowgate_applied' and state = 'idle'";
  while ((await query(database.superuserUrl, sql)).length === 0);
}

async function readiness(): Promise<unknown> {
  const response = await server.fetch('/readyz');
  return [response.status, await response.json()];
}

describe('a database whose guard was removed', () => {
  beforeAll(async () => {
    await start({ ROWGATE_DRIFT_INTERVAL: '1' });
    await query(database.superuserUrl, open);
    await log.lineWith(behind);
  });
  afterAll(() => server.stop());

  test('is not to be served, and says no names to whoever asks', async () => {
    expect(await readiness()).toEqual([
      503,
      { status: 'not ready', reasons: [`${behind} (1 difference); rowgate drift lists them`] },
    ]);
  });

  test('is named in the log', async () => {
    expect(await log.lineWith(behind)).toMatchObject({
      differences: ['row security on public.invoice is off'],
    });
  });

  test('is no reason to restart the server', async () => {
    expect((await server.fetch('/healthz')).status).toBe(200);
  });

  test('is served again after apply', async () => {
    await server.apply(platformMetadata);
    await log.lineWith('as apply left it again');
    expect(await readiness()).toEqual([200, { status: 'ready', reasons: [] }]);
  });
});

describe('a server of its own', () => {
  // Each starts with an apply, which puts right what the one before has left.
  afterEach(() => server.stop());

  test('drift is looked for after an apply, whatever the interval', async () => {
    await start({ ROWGATE_DRIFT_INTERVAL: '86400' });
    await listening();
    await query(database.superuserUrl, open, 'notify rowgate_applied');
    await log.lineWith(behind);
    expect(await readiness()).toMatchObject([503, { status: 'not ready' }]);
  });

  test('drift is not looked for where that is switched off', async () => {
    await start({ ROWGATE_DRIFT_INTERVAL: '0' });
    await listening();
    await query(database.superuserUrl, open, 'notify rowgate_applied');
    await log.lineWith('reloaded the metadata');
    expect(await readiness()).toMatchObject([200, { status: 'ready' }]);
  });

  test('where it cannot be told the server is not ready', async () => {
    await start({ ROWGATE_DRIFT_INTERVAL: '1' });
    await query(
      database.superuserUrl,
      'revoke execute on function rowgate_api.installation() from public',
      `do $$ begin execute format('revoke execute on function rowgate_api.installation() from %I',
         (select r.rolname from pg_roles r where r.rolname = 'rowgate_${database.name}_gateway_login')); end $$`,
    );
    await log.lineWith('cannot look for drift');
    expect(await readiness()).toEqual([
      503,
      {
        status: 'not ready',
        reasons: ['whether the database has drifted cannot be told; the log says why'],
      },
    ]);
  });
});
