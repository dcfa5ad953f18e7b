import type pg from 'pg';
import type { Db } from 'pg-boss';
import { queueSchema } from '../db/queue-schema.ts';

/*
 * Everything that writes the private tables of pg-boss, because its API offers no such change. Reads by its API only;
 * the functions `rowgate_jobs.resend_events`, `stuck_callbacks` and `stuck_mails` also read the job table. A test compares
 * the installed library with `knownTables`: when it fails, read the library's changes, then adapt these statements.
 */

/** The schema version of pg-boss, and the columns of its job table, which these statements and functions rely on. */
export const knownTables = {
  version: 43,
  job: {
    id: 'uuid',
    name: 'text',
    data: 'jsonb',
    state: 'rowgate_queue.job_state',
    retry_limit: 'integer',
    retry_count: 'integer',
    start_after: 'timestamp with time zone',
    created_on: 'timestamp with time zone',
  },
  /** In their order: a job whose state is less than completed is still to be done. */
  states: ['created', 'retry', 'active', 'completed', 'cancelled', 'failed'],
} as const;

/** Deletes a job unless a worker is at it; `boss.deleteJob` also deletes one that a worker has just taken. */
export async function deleteUnlessActive(db: Db, queue: string, id: string): Promise<void> {
  await db.executeSql(
    `delete from ${queueSchema}.job j where j.name = $1 and j.id = $2 and j.state <> 'active'`,
    [queue, id],
  );
}

/** Lets failed jobs wait for times of their own; `boss.update` takes one job at a time. */
export async function delayRetries(
  client: pg.ClientBase,
  queue: string,
  jobs: readonly { readonly id: string; readonly afterMs: number }[],
): Promise<void> {
  await client.query(
    `update ${queueSchema}.job j set start_after = now() + a.ms * interval '1 ms'
     from unnest($2::uuid[], $3::float8[]) as a (id, ms)
     where j.name = $1 and j.id = a.id and j.state = 'retry'`,
    [queue, jobs.map(({ id }) => id), jobs.map(({ afterMs }) => afterMs)],
  );
}

/** Allows jobs that a worker holds one more retry; `boss.update` changes no active job. */
export async function allowOneMoreRetry(
  client: pg.ClientBase,
  queue: string,
  jobs: readonly { readonly id: string; readonly retryCount: number }[],
): Promise<void> {
  await client.query(
    `update ${queueSchema}.job j set retry_limit = j.retry_limit + 1
     from unnest($2::uuid[], $3::integer[]) as u (id, count)
     where j.name = $1 and j.id = u.id and j.retry_count = u.count and j.state = 'active'`,
    [queue, jobs.map(({ id }) => id), jobs.map(({ retryCount }) => retryCount)],
  );
}

/** Sets the time by which jobs are taken in order; `boss.insert` uses the time at which the transaction began. */
export async function setCreatedOn(
  client: pg.ClientBase,
  queue: string,
  ids: readonly string[],
  at: string,
): Promise<void> {
  await client.query(
    `update ${queueSchema}.job set created_on = $2 where name = $1 and id = any ($3::uuid[])`,
    [queue, at, ids],
  );
}
