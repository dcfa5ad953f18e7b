import { afterAll, beforeAll, expect, test } from 'vitest';
import { requestRun } from '../../../server/schedules/request-run.ts';
import {
  done,
  type JobsWorld,
  job,
  makeJobsWorld,
  schedule,
  yearly,
} from '../platform/jobs/support/jobs-world.ts';

let world: JobsWorld;
beforeAll(async () => {
  world = await makeJobsWorld();
});
afterAll(() => world?.end());

const request = async (name: string, after?: string) => {
  const client = await world.database.connectOwner();
  const requested = await requestRun(client, world.database.ownerUrl, schedule(name), after);
  await client.end();
  return requested;
};

const runs = (name: string) =>
  world.sql<{ readonly id: string; readonly outcome: string; readonly scheduled_for: unknown }>(
    `select id, outcome, scheduled_for from rowgate_events.schedule_run where name = '${name}' order by id`,
  );

test('of several requests at the same time a worker runs one, although the schedule was not due', async () => {
  const requested = await Promise.all([1, 2, 3].map(() => request('asked')));
  expect(requested.toSorted()).toEqual(['requested', 'waiting', 'waiting']);
  let count = 0;
  const counted = job('asked', async () => {
    count += 1;
    return done({});
  });
  const options = { schedules: [schedule('asked', { cron: yearly })], jobs: [counted] };
  const workers = await Promise.all([world.work(options), world.work(options)]);
  await expect.poll(() => runs('asked')).toMatchObject([{ outcome: 'ok', scheduled_for: null }]);
  expect(count).toBe(1);
  const [first] = await runs('asked');
  expect(await request('asked')).toBe('changed');
  await expect.poll(() => request('asked', first?.id)).toBe('requested');
  await expect.poll(() => runs('asked')).toMatchObject([{ outcome: 'ok' }, { outcome: 'ok' }]);
  await Promise.all(workers.map((worker) => worker.stop()));
});

test('a schedule that is running is not run again on request', async () => {
  await world.sql(
    `insert into rowgate_events.schedule_run (name, instance) values ('busy', 'elsewhere')`,
  );
  const [last] = await runs('busy');
  expect(await request('busy', last?.id)).toBe('running');
  const jobs = await world.sql(
    `select from rowgate_queue.job where name = 'schedules-requested' and singleton_key = 'busy'`,
  );
  expect(jobs).toEqual([]);
});
