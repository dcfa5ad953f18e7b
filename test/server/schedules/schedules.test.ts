import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type RunResult, runOnce } from '../../../server/schedules/run-once.ts';
import { schedulesQueue } from '../../../server/schedules/sync-schedules.ts';
import { wakeQueue } from '../../support/wake-queue.ts';
import {
  done,
  type JobsWorld,
  job,
  lastDue,
  makeJobsWorld,
  type RunRow,
  schedule,
  silent,
  yearly,
} from '../platform/jobs/support/jobs-world.ts';

const soon = { timeout: 40_000, interval: 100 };

let world: JobsWorld;

beforeAll(async () => {
  world = await makeJobsWorld();
});

afterAll(async () => {
  await world?.end();
});

function runs(name: string): Promise<readonly RunRow[]> {
  return world.sql<RunRow>(
    `select name, outcome, detail, scheduled_for, instance from rowgate_events.schedule_run
     where name = '${name}' order by id`,
  );
}

/** Makes workers look for due schedules and retries, which they otherwise find after up to five seconds each. */
async function wakeWorkers(): Promise<void> {
  for (const queue of ['__pgboss__send-it', schedulesQueue]) {
    await wakeQueue(world.superuser, queue);
  }
}

function endedRuns(name: string, amount: number): Promise<readonly RunRow[]> {
  return vi.waitFor(async () => {
    await wakeWorkers();
    const found = await runs(name);
    expect(found.filter(({ outcome }) => outcome !== 'running')).toHaveLength(amount);
    return found;
  }, soon);
}

/** Changes the stored times of a schedule as if no server had run for two years. */
async function afterAnOutage(name: string): Promise<void> {
  await world.sql(
    `update rowgate_queue.schedule set created_on = now() - interval '2 years' where key = '${name}'`,
    `update rowgate_queue.version set cron_on = now() - interval '2 years'`,
  );
}

/**
 * Adds a schedule to the queue by a server that then stops. Changes the stored times as if it had
 * stopped long ago.
 */
async function scheduledBefore(name: string): Promise<void> {
  const worker = await world.work({
    schedules: [schedule(name, { cron: yearly })],
    jobs: [job(name)],
  });
  await worker.stop();
  await afterAnOutage(name);
}

test('two servers that start after an outage run the last missed time of a schedule once', async () => {
  await scheduledBefore('caught_up');
  const seen: Date[] = [];
  const caughtUp = job('caught_up', async ({ scheduledFor }) => {
    seen.push(scheduledFor);
    return done({ rows: 3 });
  });
  const options = { schedules: [schedule('caught_up', { cron: yearly })], jobs: [caughtUp] };
  const [first, second] = await Promise.all([world.work(options), world.work(options)]);
  const [run, ...more] = await endedRuns('caught_up', 1);
  expect(run).toMatchObject({ outcome: 'ok', detail: { rows: 3 }, scheduled_for: lastDue });
  expect(more).toEqual([]);
  expect(seen).toEqual([lastDue]);
  // The queue may deliver a job twice, so both servers may get a job for the same due time. The second job must not
  // run.
  const data = { schedule: 'caught_up' };
  const ids = [
    await first.queue.boss.send(schedulesQueue, data),
    await second.queue.boss.send(schedulesQueue, data),
  ];
  await vi.waitFor(async () => {
    const states = await world.sql<{ state: string }>(
      `select state from rowgate_queue.job where id in ('${ids.join("', '")}')`,
    );
    expect(states).toEqual([{ state: 'completed' }, { state: 'completed' }]);
  }, soon);
  expect(seen).toEqual([lastDue]);
  expect(await runs('caught_up')).toHaveLength(1);
  await Promise.all([first.stop(), second.stop()]);
});

test('a running worker runs a schedule when it is due', async () => {
  await world.sql(`update rowgate_queue.version set cron_on = null`);
  const first = await world.work({ schedules: [schedule('minutely')], jobs: [job('minutely')] });
  await first.stop();
  await world.sql(`update rowgate_queue.version set cron_on = null`);
  const worker = await world.work({ schedules: [schedule('minutely')], jobs: [job('minutely')] });
  const [run] = await vi.waitFor(async () => {
    const found = await runs('minutely');
    expect(found.filter(({ outcome }) => outcome === 'ok').length).toBeGreaterThan(0);
    return found;
  }, soon);
  expect(run?.scheduled_for?.getUTCSeconds()).toBe(0);
  await worker.stop();
});

test('a scheduled run whose process was killed is marked as failed, and the schedule runs again', async () => {
  await scheduledBefore('killed');
  const child = spawn(
    process.execPath,
    [
      path.join(import.meta.dirname, '../platform/jobs/support/worker-child.ts'),
      world.login.url,
      'killed',
      yearly,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const started = once(child.stdout, 'data');
  await vi.waitFor(async () => {
    await wakeWorkers();
    expect(await runs('killed')).toHaveLength(1);
  }, soon);
  await started;
  child.kill('SIGKILL');
  await once(child, 'exit');
  const worker = await world.work({
    schedules: [schedule('killed', { cron: yearly })],
    jobs: [job('killed', async () => done({ repeated: true }))],
  });
  // Changes times as if the database and the queue had already detected the dead process.
  await world.sql(
    `update rowgate_events.schedule_run set beat_at = now() - interval '21 seconds' where name = 'killed'`,
    `update rowgate_queue.job set heartbeat_on = now() - interval '46 seconds'
     where name = '${schedulesQueue}' and state = 'active'`,
    `update rowgate_queue.queue set monitor_on = null where name = '${schedulesQueue}'`,
  );
  await worker.queue.boss.supervise(schedulesQueue);
  expect(await endedRuns('killed', 2)).toMatchObject([
    {
      outcome: 'failed',
      detail: { error: 'the process that ran it died' },
      scheduled_for: lastDue,
    },
    { outcome: 'ok', detail: { repeated: true }, scheduled_for: lastDue },
  ]);
  await worker.stop();
});

test('a scheduled run that fails is tried again', async () => {
  let tries = 0;
  const flaky = job('flaky', async () => {
    tries += 1;
    return tries === 1 ? { ok: false, detail: { error: 'not today' } } : done({ tries });
  });
  const options = { schedules: [schedule('flaky', { cron: yearly })], jobs: [flaky] };
  const first = await world.work(options);
  await first.stop();
  await afterAnOutage('flaky');
  const worker = await world.work(options);
  expect(await endedRuns('flaky', 2)).toMatchObject([
    { outcome: 'failed', detail: { error: 'not today' } },
    { outcome: 'ok', detail: { tries: 2 } },
  ]);
  await worker.stop();
});

test('a worker that stops aborts its runs, and another worker repeats them', async () => {
  await scheduledBefore('stopped');
  const patient = job('stopped', ({ signal }) => {
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  });
  const options = { schedules: [schedule('stopped', { cron: yearly })], jobs: [patient] };
  const first = await world.work(options);
  await vi.waitFor(async () => {
    await wakeWorkers();
    expect(await runs('stopped')).toHaveLength(1);
  }, soon);
  await first.stop();
  const second = await world.work({ ...options, jobs: [job('stopped')] });
  expect(await endedRuns('stopped', 2)).toMatchObject([
    { outcome: 'failed', detail: { error: 'the process stops' } },
    { outcome: 'ok' },
  ]);
  await second.stop();
});

describe('several runs of one schedule', () => {
  function run(name: string, work: () => Promise<RunResult | undefined>): Promise<RunResult> {
    return runOnce({
      pool: world.pool,
      name,
      scheduledFor: undefined,
      instance: 'test',
      signal: new AbortController().signal,
      logger: silent,
      work: async () => {
        const inner = await work();
        return done({ inner: inner?.state });
      },
    });
  }

  test('are never at the same time', async () => {
    const nothing = async () => undefined;
    expect(await run('locked', () => run('locked', nothing))).toEqual({
      state: 'ended',
      ok: true,
      detail: { inner: 'busy' },
    });
    expect(await run('locked', nothing)).toMatchObject({ state: 'ended', ok: true });
  });

  test('whose time is over do not overwrite the result of the next run', async () => {
    const result = await run('silent', async () => {
      await world.sql(
        `update rowgate_events.schedule_run set beat_at = now() - interval '21 seconds' where name = 'silent'`,
      );
      return run('silent', async () => undefined);
    });
    expect(result).toEqual({ state: 'lost' });
    expect((await runs('silent')).map(({ outcome }) => outcome)).toEqual(['failed', 'ok']);
  });

  test('are aborted when their time is over', async () => {
    const aborted = runOnce({
      pool: world.pool,
      name: 'aborted',
      scheduledFor: undefined,
      instance: 'test',
      signal: new AbortController().signal,
      logger: silent,
      work: async ({ signal }) => {
        await world.sql(
          `update rowgate_events.schedule_run set beat_at = now() - interval '21 seconds' where name = 'aborted'`,
          'select rowgate_events.mark_dead_runs()',
        );
        return new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason)),
        );
      },
    });
    expect(await aborted).toEqual({ state: 'lost' });
  });
});

test("the queue's list of schedules is updated when the metadata changes", async () => {
  const jobs = [job('kept'), job('gone'), job('new')];
  const worker = await world.work({
    schedules: [schedule('kept', { cron: yearly }), schedule('gone', { cron: yearly })],
    jobs,
  });
  worker.have([
    schedule('kept', {
      cron: '30 6 * * 1',
      timezone: 'Europe/Berlin',
      run: { kind: 'job', job: 'new' },
    }),
    schedule('new', { cron: yearly }),
  ]);
  await worker.jobs.refresh();
  const listed = await worker.queue.boss.getSchedules(schedulesQueue);
  expect(listed.map(({ key, cron, timezone }) => [key, cron, timezone]).sort()).toEqual([
    ['kept', '30 6 * * 1', 'Europe/Berlin'],
    ['new', yearly, 'UTC'],
  ]);
  worker.have([schedule('wrong', { run: { kind: 'job', job: 'unheard_of' } })]);
  await worker.jobs.refresh();
  expect(await worker.queue.boss.getSchedules(schedulesQueue)).toHaveLength(2);
  await worker.stop();
});

test('a worker reports at its start a schedule with an unknown job, and lists the jobs that exist', async () => {
  const wrong = schedule('sync', { run: { kind: 'job', job: 'coin_price' } });
  const starting = world.work({ schedules: [wrong], jobs: [job('coin_prices'), job('reaper')] });
  await expect(starting).rejects.toMatchObject({
    code: 'RG_CONFIG',
    exitCode: 2,
    message: 'cron.yaml:1: the schedule "sync" runs the job "coin_price", which does not exist',
    hint: expect.stringContaining('coin_prices'),
  });
});
