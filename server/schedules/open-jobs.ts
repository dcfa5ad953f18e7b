import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import type { JobWithMetadata } from 'pg-boss';
import type pino from 'pino';
import type { Model } from '../../permissions/index.ts';
import type { WebhookServices } from '../delivery/resolve-webhook.ts';
import type { Queue } from '../queue/open-queue.ts';
import type { Job } from './job.ts';
import { lastOccurrence } from './occurrence.ts';
import { prepareRequestedQueue, requestedQueue } from './request-run.ts';
import { type RunResult, runOnce } from './run-once.ts';
import { refuseUnknownJobs, type ScheduleServices, workOf } from './schedule-work.ts';
import { type DueSchedule, schedulesQueue, syncSchedules } from './sync-schedules.ts';

const queues = [schedulesQueue, requestedQueue];
/** Maximum schedules that one process runs at the same time, of each queue. */
const concurrency = 4;
/**
 * Maximum wait for running schedules while closing. Another process repeats the schedules that have not ended by then.
 */
const stopTimeoutMs = 20_000;
/** Polling intervals, because pg-boss sends no notice for retries. */
const polling = { pollingIntervalSeconds: 5, notifyPollingIntervalSeconds: 5 };

export interface JobsOptions {
  /** Connections of the sidecar login, with which the server accesses everything except the data API. */
  readonly pool: pg.Pool;
  /** A queue opened with `works: true`. */
  readonly queue: Queue;
  /** Returns the rules that this process has now. A reload of the metadata replaces them. */
  readonly model: () => Model;
  /** The jobs that schedules may name as `job:`. */
  readonly jobs: readonly Job[];
  readonly webhooks: WebhookServices;
  readonly logger: pino.Logger;
}

/** The running schedules of this process. */
export interface Jobs {
  /** Updates the schedules after a reload. The old schedules stay when the new ones name unknown jobs. */
  refresh(): Promise<void>;
  /** Starts no further runs, aborts the running ones, and waits for them, at most 20 s. */
  close(): Promise<void>;
}

/**
 * Starts to run the schedules of the metadata. For each due time, only one of all processes runs the schedule.
 * @throws ProcessError RG_CONFIG when a schedule names a job that does not exist
 */
export async function openJobs(options: JobsOptions): Promise<Jobs> {
  const { queue, model, logger } = options;
  const { boss } = queue;
  const services = scheduleServices(options);
  refuseUnknownJobs(model().schedules.values(), services);
  await boss.createQueue(schedulesQueue, { notify: true });
  await syncSchedules(boss, model().schedules);
  const instance = instanceName();
  const stopping = new AbortController();
  const running = { ...options, services, instance, stopping: stopping.signal };
  await prepareRequestedQueue(boss);
  for (const name of queues) {
    await boss.work(
      name,
      { includeMetadata: true, localConcurrency: concurrency, ...polling },
      async (due: JobWithMetadata<DueSchedule>[]) => {
        for (const one of due) await runDue(one, running);
      },
    );
  }
  return {
    refresh: async () => {
      try {
        refuseUnknownJobs(model().schedules.values(), services);
        await syncSchedules(boss, model().schedules);
      } catch (error) {
        logger.error({ err: error }, 'cannot update the schedules; the old ones stay in force');
      }
    },
    close: async () => {
      stopping.abort(new Error('the process stops'));
      const waiting = setTimeout(stopTimeoutMs, undefined, { ref: false });
      const ended = queues.map((name) => boss.offWork(name, { wait: true }));
      await Promise.race([Promise.all(ended), waiting]);
    },
  };
}

/** Makes the services of schedules, with the jobs by name. */
export function scheduleServices({
  jobs,
  webhooks,
}: Pick<JobsOptions, 'jobs' | 'webhooks'>): ScheduleServices {
  return { jobs: new Map(jobs.map((job) => [job.name, job])), webhooks };
}

/** Returns a name that is unique to this process. */
export function instanceName(): string {
  return `${hostname()}:${process.pid}:${randomBytes(3).toString('hex')}`;
}

interface Running extends JobsOptions {
  readonly services: ScheduleServices;
  readonly instance: string;
  readonly stopping: AbortSignal;
}

/** Runs a due schedule. @throws Error to make the queue retry */
async function runDue(due: JobWithMetadata<DueSchedule>, running: Running): Promise<void> {
  const { model, pool, services, instance, stopping, logger } = running;
  const name = due.data.schedule;
  const schedule = model().schedules.get(name);
  // This process may have older rules than the process that queued the run. The error makes the queue retry, perhaps in
  // a process that knows the schedule. When the schedule was deleted, all retries fail and nothing runs.
  if (!schedule) throw new Error(`${name} is not among the schedules that this process knows`);
  const result = await runOnce({
    pool,
    name,
    // The queue may deliver the same run twice. `runOnce` recognises the second delivery by its due time and skips it.
    scheduledFor: due.name === requestedQueue ? undefined : lastOccurrence(schedule, due.createdOn),
    instance,
    signal: AbortSignal.any([stopping, due.signal]),
    logger,
    work: workOf(schedule, services),
  });
  const failure = failureOf(result);
  if (failure !== undefined) throw new Error(`${name}: ${failure}`);
}

function failureOf(result: RunResult): string | undefined {
  switch (result.state) {
    case 'done':
      return undefined;
    case 'busy':
      return 'is running in another process';
    case 'lost':
      return 'was given up by its process';
    case 'ended':
      return result.ok ? undefined : String(result.detail.error ?? 'failed');
  }
}
