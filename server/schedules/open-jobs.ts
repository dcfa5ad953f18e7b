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
import { type RunResult, runOnce } from './run-once.ts';
import { type Doers, refuseUnknownJobs, workOf } from './schedule-work.ts';
import { type DueSchedule, schedulesQueue, syncSchedules } from './sync-schedules.ts';

/** How many schedules one process runs at a time. */
const concurrency = 4;
/** What still runs then is given up, and repeated by another process. */
const stopTimeoutMs = 20_000;
/** What is tried again is not told of: it is looked for this often. */
const pace = { pollingIntervalSeconds: 5, notifyPollingIntervalSeconds: 5 };

export interface JobsOptions {
  /** Of the sidecar's login. */
  readonly pool: pg.Pool;
  /** One that works. */
  readonly queue: Queue;
  /** The rules that are in force at this moment. */
  readonly model: () => Model;
  /** What schedules may name as `job:`. */
  readonly jobs: readonly Job[];
  readonly webhooks: WebhookServices;
  readonly logger: pino.Logger;
}

/** Schedules that run. */
export interface Jobs {
  /** Takes up the schedules of metadata that was loaded anew; where they name unknown jobs, the old ones stay. */
  refresh(): Promise<void>;
  /** Takes nothing more, tells what runs here to stop, and waits for it, at most 20 s. */
  close(): Promise<void>;
}

/**
 * Runs the schedules of the metadata, once for all processes that do.
 * @throws ProcessError RG_CONFIG where one names a job that does not exist
 */
export async function openJobs(options: JobsOptions): Promise<Jobs> {
  const { queue, model, logger } = options;
  const { boss } = queue;
  const doers = doersOf(options);
  refuseUnknownJobs(model().schedules.values(), doers);
  await boss.createQueue(schedulesQueue, { notify: true });
  await syncSchedules(boss, model().schedules);
  const instance = instanceName();
  const stopping = new AbortController();
  const running = { ...options, doers, instance, stopping: stopping.signal };
  await boss.work(
    schedulesQueue,
    { includeMetadata: true, localConcurrency: concurrency, ...pace },
    async (due: JobWithMetadata<DueSchedule>[]) => {
      for (const one of due) await runDue(one, running);
    },
  );
  return {
    refresh: async () => {
      try {
        refuseUnknownJobs(model().schedules.values(), doers);
        await syncSchedules(boss, model().schedules);
      } catch (error) {
        logger.error({ err: error }, 'cannot take up the schedules; the old ones stay in force');
      }
    },
    close: async () => {
      stopping.abort(new Error('the process stops'));
      const waiting = setTimeout(stopTimeoutMs, undefined, { ref: false });
      await Promise.race([boss.offWork(schedulesQueue, { wait: true }), waiting]);
    },
  };
}

/** What schedules can do, by name. */
export function doersOf({ jobs, webhooks }: Pick<JobsOptions, 'jobs' | 'webhooks'>): Doers {
  return { jobs: new Map(jobs.map((job) => [job.name, job])), webhooks };
}

/** Tells this process apart from all others. */
export function instanceName(): string {
  return `${hostname()}:${process.pid}:${randomBytes(3).toString('hex')}`;
}

interface Running extends JobsOptions {
  readonly doers: Doers;
  readonly instance: string;
  readonly stopping: AbortSignal;
}

/** @throws Error where the queue is to try again */
async function runDue(due: JobWithMetadata<DueSchedule>, running: Running): Promise<void> {
  const { model, pool, doers, instance, stopping, logger } = running;
  const name = due.data.schedule;
  const schedule = model().schedules.get(name);
  // Another process may have newer rules than this one; of what is scheduled no more, nothing comes of the tries.
  if (!schedule) throw new Error(`${name} is not among the schedules that this process knows`);
  const result = await runOnce({
    pool,
    name,
    // The queue may send one time twice; what it was due at tells them apart.
    scheduledFor: lastOccurrence(schedule, due.createdOn),
    instance,
    signal: AbortSignal.any([stopping, due.signal]),
    logger,
    work: workOf(schedule, doers),
  });
  const failure = failureOf(result);
  if (failure !== undefined) throw new Error(`${name}: ${failure}`);
}

function failureOf(result: RunResult): string | undefined {
  switch (result.state) {
    case 'done':
      return undefined;
    case 'busy':
      return 'runs elsewhere at this moment';
    case 'lost':
      return 'was given up by its process';
    case 'ended':
      return result.ok ? undefined : String(result.detail.error ?? 'failed');
  }
}
