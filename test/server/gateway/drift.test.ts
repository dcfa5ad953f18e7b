import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeLogger } from '../../../server/log/log.ts';
import { makeDataFolder, removeFolders } from '../../support/data-folder.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { startTestServer, type TestServer } from '../../support/http.ts';
import { LogCapture } from '../../support/log-capture.ts';
import { query } from '../../support/query.ts';
import { until } from '../../support/until.ts';

let database: TestDatabase;
let metadata: string;
let dataDir: string;

beforeAll(async () => {
  database = await createDatabase();
  await query(database.ownerUrl, 'create table invoice (id int primary key)');
  metadata = await makeDataFolder();
  dataDir = await makeDataFolder();
  await mkdir(path.join(metadata, 'tables'));
  await writeFile(path.join(metadata, 'roles.yaml'), 'roles: { payer: {} }\n');
  await writeFile(
    path.join(metadata, 'tables/invoice.yaml'),
    'table: invoice\npermissions: { payer: { select: { filter: {}, columns: [id] } } }\n',
  );
});
afterAll(async () => {
  await removeFolders();
  await database.drop();
});

interface Watched {
  readonly server: TestServer;
  readonly log: LogCapture;
}

/**
 * Starts a server. At its start the server applies the rules, which repairs the drift that an
 * earlier test has caused.
 */
async function start(interval: string): Promise<Watched> {
  const log = new LogCapture();
  const logger = makeLogger({ logLevel: 'info', headerPrefix: 'X-Gql-' }, log);
  // All servers share the folder, because it contains the password of their login. A new password would prevent the
  // other servers from connecting.
  const environment = { ROWGATE_DRIFT_INTERVAL: interval, ROWGATE_DATA_DIR: dataDir };
  return { server: await startTestServer({ database, metadata, logger, environment }), log };
}

const disableRowSecurity = 'alter table public.invoice disable row level security';
const behind = "the database was changed behind Rowgate's back";

/** Waits until this many servers listen, because a server misses notices that were sent earlier. */
async function listening(amount: number): Promise<void> {
  const sql =
    "select 1 from pg_stat_activity where datname = current_database() and query = 'listen rowgate_applied' and state = 'idle'";
  await until(async () => (await query(database.superuserUrl, sql)).length >= amount);
}

async function readiness({ server }: Watched): Promise<unknown> {
  const response = await server.fetch('/readyz');
  return [response.status, await response.json()];
}

describe('when `apply` notifies running servers and the database differs from the rules,', () => {
  let seldom: Watched;
  let never: Watched;

  beforeAll(async () => {
    seldom = await start('86400');
    never = await start('0');
    await listening(2);
    const applied = 'update rowgate.installation set applied_at = clock_timestamp()';
    await query(database.superuserUrl, disableRowSecurity, applied, 'notify rowgate_applied');
  });
  afterAll(() => Promise.all([seldom.server.stop(), never.server.stop()]));

  test('a server checks for drift at once, and becomes not ready', async () => {
    await seldom.log.lineWith(behind);
    expect(await readiness(seldom)).toMatchObject([503, { status: 'not ready' }]);
  });

  test('a server with disabled drift checks makes no check, and stays ready', async () => {
    await never.log.lineWith('reloaded the metadata');
    expect(await readiness(never)).toMatchObject([200, { status: 'ready' }]);
  });
});

// Each test depends on the database state after the previous test.
describe('a server that checks its database for drift, after row security was disabled on a table,', {
  shuffle: false,
}, () => {
  let watched: Watched;

  beforeAll(async () => {
    watched = await start('1');
    await query(database.superuserUrl, disableRowSecurity);
    await watched.log.lineWith(behind);
  });
  afterAll(() => watched.server.stop());

  test('answers 503 at /readyz, with a reason that names no tables', async () => {
    expect(await readiness(watched)).toEqual([
      503,
      { status: 'not ready', reasons: [`${behind} (1 difference); rowgate drift lists them`] },
    ]);
  });

  test('logs which table differs and how', async () => {
    expect(await watched.log.lineWith(behind)).toMatchObject({
      differences: ['row security on public.invoice is off'],
    });
  });

  test('still answers 200 at /healthz', async () => {
    expect((await watched.server.fetch('/healthz')).status).toBe(200);
  });

  test('answers 200 at /readyz again after an apply has repaired the table', async () => {
    await watched.server.apply(metadata);
    await watched.log.lineWith('has been repaired');
    expect(await readiness(watched)).toEqual([200, { status: 'ready', reasons: [] }]);
  });

  test('answers 503 at /readyz when it may not make the check', async () => {
    await query(
      database.superuserUrl,
      'revoke execute on function rowgate_api.installation() from public',
      `do $$ begin execute format('revoke execute on function rowgate_api.installation() from %I',
         (select r.rolname from pg_roles r where r.rolname = 'rowgate_${database.name}_gateway_login')); end $$`,
    );
    await watched.log.lineWith('cannot check for drift');
    expect(await readiness(watched)).toEqual([
      503,
      {
        status: 'not ready',
        reasons: ['the database cannot be checked for drift; the log has the reason'],
      },
    ]);
  });
});
