import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { runCommand } from '../../support/command-line.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { query } from '../../support/query.ts';
import { type Finished, runRowgate, vacantPort } from '../../support/rowgate.ts';

let database: TestDatabase;
let dataDir: string;

beforeAll(async () => {
  database = await createDatabase({ from: 'platform' });
  dataDir = await mkdtemp(path.join(inject('scratch'), 'jobs-'));
});

afterAll(() => database?.drop());

beforeEach(() => query(database.superuserUrl, 'truncate rowgate_events.schedule_run'));

function rowgate(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  run = runCommand,
): Promise<Finished> {
  return run(['jobs', ...args], {
    DATABASE_URL: database.ownerUrl,
    ROWGATE_DATA_DIR: dataDir,
    ROWGATE_LOG_LEVEL: 'silent',
    ...environment,
  });
}

function ran(name: string, outcome: string, beatAt = 'now()'): Promise<unknown> {
  const finished = outcome === 'running' ? 'null' : "'2026-05-01 10:00:02.5+00'";
  return query(
    database.superuserUrl,
    `insert into rowgate_events.schedule_run
       (name, scheduled_for, started_at, beat_at, finished_at, outcome, detail, instance) values
       ('${name}', '2026-05-01 10:00:00+00', '2026-05-01 10:00:01+00', ${beatAt}, ${finished}, '${outcome}',
         '{"error": "no\\u001b[2Juse"}', 'elsewhere')`,
  );
}

test('rowgate jobs list shows the schedules with their next time and their last run', async () => {
  await ran('reaper', 'failed');
  const { code, stdout } = await rowgate(['list'], {}, runRowgate);
  const lines = stdout.trim().split('\n');
  expect(code).toBe(0);
  expect(lines.map((line) => line.split('  ').slice(0, 3))).toEqual([
    ['invoice_reminder', '0 8 * * * UTC', '/webhooks/on-invoice-reminder'],
    ['card_reminder', '0 8 * * * UTC', '/webhooks/on-card-reminder'],
    ['coin_prices', '*/15 * * * * UTC', 'coin_prices'],
    ['currency_rates', '*/15 * * * * UTC', 'currency_rates'],
    ['midnight', '0 0 * * * UTC', 'midnight'],
    ['reaper', '0 */6 * * * UTC', 'reaper'],
    ['reports', '*/5 * * * * UTC', 'reports'],
  ]);
  expect(lines[4]).toMatch(/ {2}next \d{4}-\d\d-\d\dT00:00:00.000Z {2}never run$/);
  expect(lines[5]).toMatch(/ {2}last 2026-05-01T10:00:01.000Z failed$/);
});

test('rowgate jobs history shows the newest runs first, without control characters from their results', async () => {
  await ran('reaper', 'failed');
  await ran('midnight', 'ok');
  const { code, stdout } = await rowgate(['history']);
  expect([code, stdout.trim().split('\n')]).toEqual([
    0,
    ['midnight  ok', 'reaper  failed'].map(
      (run) =>
        `2026-05-01T10:00:01.000Z  ${run}  for 2026-05-01T10:00:00.000Z  1.5 s  {"error":"no\\u001b[2Juse"}`,
    ),
  ]);
  const { runs } = JSON.parse((await rowgate(['history', '--name', 'reaper', '--json'])).stdout);
  expect(runs).toMatchObject([{ name: 'reaper', outcome: 'failed', instance: 'elsewhere' }]);
});

test('rowgate jobs history shows a run as failed when its process has died', async () => {
  await ran('reaper', 'running', `now() - interval '21 seconds'`);
  const { runs } = JSON.parse((await rowgate(['history', '--json'])).stdout);
  expect(runs).toMatchObject([
    { outcome: 'failed', detail: { error: expect.stringContaining('died') } },
  ]);
});

test('rowgate jobs run executes a schedule now and prints the result', async () => {
  const { code, stdout } = await rowgate(['run', 'reaper', '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    name: 'reaper',
    state: 'ended',
    ok: true,
    detail: { balances: { count: 0 }, late_transactions: { count: 3 } },
  });
  const [run] = await query(
    database.superuserUrl,
    'select name, outcome, scheduled_for from rowgate_events.schedule_run',
  );
  expect(run).toEqual({ name: 'reaper', outcome: 'ok', scheduled_for: null });
});

test('rowgate jobs run executes the midnight job, which generates the requested reports', async () => {
  const { code, stdout } = await rowgate(['run', 'midnight', '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(stdout).detail.reports).toBeGreaterThan(0);
});

test('rowgate jobs run prints why the job failed and exits with 1', async () => {
  const unreachable = { ROWGATE_PRICE_SOURCES: `kraken=http://127.0.0.1:${await vacantPort()}` };
  const { code, stdout } = await rowgate(['run', 'coin_prices'], unreachable);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^coin_prices failed: \{"error":"no coin has a new price",.*ECONNREFUSED/);
});

test('rowgate jobs run does nothing while the schedule runs in another process', async () => {
  await ran('reaper', 'running', `now() + interval '1 hour'`);
  const { code, stdout } = await rowgate(['run', 'reaper']);
  expect([code, stdout.trim()]).toEqual([
    1,
    'reaper is running already; rowgate jobs history shows where',
  ]);
});

test.each([
  [['run', 'reeper'], 'there is no schedule "reeper"'],
  [['history', '--limit', '0'], '--limit is "0"; it must be a whole number from 1 to 999999'],
])('the command %s exits with 2', async (args, problem) => {
  const { code, stderr } = await rowgate(args);
  expect(code).toBe(2);
  expect(stderr).toContain(problem);
});
