import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import pino from 'pino';
import { inject } from 'vitest';
import type { Model, Schedule } from '../../../../../permissions/index.ts';
import { resolveLogin, type ServerLogin } from '../../../../../server/db/logins/logins.ts';
import { prepareSidecarLogin } from '../../../../../server/db/logins/sidecar-login.ts';
import { openSidecarPool } from '../../../../../server/db/logins/sidecar-pool.ts';
import type { PlatformConfig } from '../../../../../server/platform/config/platform-config.ts';
import { platformGrants } from '../../../../../server/platform/grants.ts';
import { openQueue, type Queue } from '../../../../../server/queue/open-queue.ts';
import type { Job, JobOutcome } from '../../../../../server/schedules/job.ts';
import { type Jobs, openJobs } from '../../../../../server/schedules/open-jobs.ts';
import { createDatabase, type TestDatabase } from '../../../../support/database.ts';
import { parsePlatformConfig } from '../../../../support/platform.ts';

export const silent = pino({ level: 'silent' });

/** A database of the platform, and the sidecar login with which jobs run. */
export interface JobsWorld {
  readonly database: TestDatabase;
  readonly login: ServerLogin;
  readonly config: PlatformConfig;
  readonly pool: pg.Pool;
  /** A connection of the superuser. */
  readonly superuser: pg.Client;
  /**
   * Runs statements as the superuser and returns the rows of the last one. SET lasts only for the
   * same call.
   */
  sql<T>(...statements: readonly string[]): Promise<readonly T[]>;
  /** Starts a worker that runs jobs. It ends when `JobsWorld` closes. */
  work(options: WorkOptions): Promise<Worker>;
  end(): Promise<void>;
}

export interface WorkOptions {
  readonly schedules: readonly Schedule[];
  readonly jobs?: readonly Job[];
  /** The base URL of the server, which is put before a webhook that is only a path. */
  readonly baseUrl?: string;
}

export interface Worker {
  readonly queue: Queue;
  readonly jobs: Jobs;
  /** Replaces the schedules in the model. A worker sees them after `jobs.refresh()`. */
  have(schedules: readonly Schedule[]): void;
  stop(): Promise<void>;
}

export async function makeJobsWorld(
  environment: Readonly<Record<string, string>> = {},
): Promise<JobsWorld> {
  const database = await createDatabase({ from: 'platform' });
  const dataDir = await mkdtemp(path.join(inject('scratch'), 'jobs-'));
  const { config } = parsePlatformConfig(
    { DATABASE_URL: database.ownerUrl, ROWGATE_DATA_DIR: dataDir, ...environment },
    dataDir,
  );
  const login = await resolveLogin(config, database.ownerUrl, 'sidecar');
  const owner = await database.connectOwner();
  await prepareSidecarLogin(owner, login, platformGrants);
  await owner.end();
  const pool = openSidecarPool(login.url, { config, logger: silent });
  const workers: Worker[] = [];
  // One lasting connection, because tests poll often and connecting takes longer than a query.
  const superuser = await database.connectSuperuser();
  return {
    database,
    login,
    config,
    pool,
    superuser,
    sql: async <T>(...statements: readonly string[]) => {
      let rows: T[] = [];
      for (const statement of statements) rows = (await superuser.query(statement)).rows;
      await superuser.query('reset all');
      return rows;
    },
    work: async (options) => {
      const worker = await startWorker(login.url, pool, options);
      workers.push(worker);
      return worker;
    },
    end: async () => {
      for (const worker of workers) await worker.stop();
      await pool.end();
      await database.drop();
    },
  };
}

async function startWorker(url: string, pool: pg.Pool, options: WorkOptions): Promise<Worker> {
  let schedules = options.schedules;
  const queue = await openQueue({ url, works: true, logger: silent });
  const model = () =>
    ({ schedules: new Map(schedules.map((one) => [one.name, one])) }) as unknown as Model;
  const jobs = await openJobs({
    pool,
    queue,
    model,
    jobs: options.jobs ?? [],
    webhooks: {
      baseUrl: options.baseUrl ?? 'http://127.0.0.1:9',
      platformSecret: 'p'.repeat(40),
      variable: () => undefined,
    },
    logger: silent,
  }).catch(async (error: unknown) => {
    await queue.close();
    throw error;
  });
  let stopped: Promise<void> | undefined;
  return {
    queue,
    jobs,
    have: (now) => {
      schedules = now;
    },
    stop: () => {
      stopped ??= jobs.close().then(() => queue.close());
      return stopped;
    },
  };
}

const thisMonth = new Date();
/**
 * The last time at which the schedule `yearly` was due. It is half a year ago, so no test sees it
 * become due again.
 */
export const lastDue = new Date(
  Date.UTC(thisMonth.getUTCFullYear(), thisMonth.getUTCMonth() - 6, 1),
);
export const yearly = `0 0 1 ${lastDue.getUTCMonth() + 1} *`;

/** Makes a schedule that runs the job of this name, by default every minute. */
export function schedule(name: string, more: Partial<Schedule> = {}): Schedule {
  return {
    name,
    cron: '* * * * *',
    timezone: 'UTC',
    run: { kind: 'job', job: name },
    retry: { limit: 3, interval: 1, maxInterval: 2, timeout: 5 },
    position: { file: 'cron.yaml', line: 1, column: 1 },
    ...more,
  };
}

/** Makes a job that runs this function, by default one that does nothing. */
export function job(name: string, run: Job['run'] = async () => done({})): Job {
  return { name, run };
}

export function done(detail: JobOutcome['detail']): JobOutcome {
  return { ok: true, detail };
}

/** Makes the context of a run that is due at this time and is never aborted. */
export function context(scheduledFor = new Date()) {
  return { scheduledFor, signal: new AbortController().signal, logger: silent };
}

export interface RunRow {
  readonly name: string;
  readonly outcome: string;
  readonly detail: Readonly<Record<string, unknown>>;
  readonly scheduled_for: Date | null;
  readonly instance: string;
}
