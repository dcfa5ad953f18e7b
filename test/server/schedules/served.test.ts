import { cp, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, inject, onTestFinished, test, vi } from 'vitest';
import { resolveLogin } from '../../../server/db/logins/logins.ts';
import { openQueue } from '../../../server/queue/open-queue.ts';
import { schedulesQueue } from '../../../server/schedules/sync-schedules.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { platformMetadata, startTestServer, type TestServer } from '../../support/http.ts';
import { query } from '../../support/query.ts';
import { type RunRow, silent } from '../platform/jobs/support/jobs-world.ts';

const soon = { timeout: 25_000, interval: 50 };

let database: TestDatabase;
let metadata: string;
let server: TestServer;

beforeAll(async () => {
  database = await createDatabase({ from: 'platform' });
  metadata = await mkdtemp(path.join(inject('scratch'), 'metadata-'));
  // Omits the rules of tables, because they take long to apply and schedules do not need them.
  await mkdir(path.join(metadata, 'tables'));
  await copyPlatform('roles.yaml');
  await copyPlatform('cron.yaml');
  await copyPlatform('rowgate.yaml');
  server = await startTestServer({ database, metadata, rest: true, worker: true });
});

afterAll(async () => {
  await server?.stop();
  await database?.drop();
});

function copyPlatform(file: string): Promise<void> {
  return cp(path.join(platformMetadata, file), path.join(metadata, file));
}

function scheduled(): Promise<readonly unknown[]> {
  return query(
    database.superuserUrl,
    `select key, cron from rowgate_queue.schedule where name = '${schedulesQueue}' order by key`,
  );
}

test('a worker runs the schedules of the platform, also those that call webhooks on its own server', async () => {
  expect(await scheduled()).toEqual([
    { key: 'card_reminder', cron: '0 8 * * *' },
    { key: 'coin_prices', cron: '*/15 * * * *' },
    { key: 'currency_rates', cron: '*/15 * * * *' },
    { key: 'invoice_reminder', cron: '0 8 * * *' },
    { key: 'midnight', cron: '0 0 * * *' },
    { key: 'reaper', cron: '0 */6 * * *' },
    { key: 'reports', cron: '*/5 * * * *' },
  ]);
  const { url } = await resolveLogin(server.config, database.ownerUrl, 'sidecar');
  const queue = await openQueue({ url, works: false, logger: silent });
  for (const schedule of ['invoice_reminder', 'card_reminder', 'midnight', 'currency_rates']) {
    await queue.boss.send(schedulesQueue, { schedule });
  }
  await queue.close();
  const runs = await vi.waitFor(async () => {
    const found = (await query(
      database.superuserUrl,
      `select distinct on (name) name, outcome, detail from rowgate_events.schedule_run
       where outcome <> 'running' and name <> 'coin_prices' and name <> 'reaper' order by name, id desc`,
    )) as RunRow[];
    expect(found).toHaveLength(4);
    return found;
  }, soon);
  expect(runs).toMatchObject([
    { name: 'card_reminder', outcome: 'ok', detail: { status: 200 } },
    { name: 'currency_rates', outcome: 'ok', detail: { stored: 0 } },
    { name: 'invoice_reminder', outcome: 'ok', detail: { status: 200 } },
    { name: 'midnight', outcome: 'ok' },
  ]);
});

test('a running worker uses the changed schedules after an apply', async () => {
  const before = await scheduled();
  onTestFinished(async () => {
    await copyPlatform('cron.yaml');
    await server.apply(metadata);
    await vi.waitFor(async () => expect(await scheduled()).toEqual(before), soon);
  });
  await writeFile(
    path.join(metadata, 'cron.yaml'),
    "reaper: { schedule: '30 5 * * *', job: reaper }\n",
  );
  await server.apply(metadata);
  await vi.waitFor(
    async () => expect(await scheduled()).toEqual([{ key: 'reaper', cron: '30 5 * * *' }]),
    soon,
  );
});
