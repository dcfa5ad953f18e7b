import type pg from 'pg';
import type { Db } from 'pg-boss';
import { queueSchema } from '../db/queue-schema.ts';

/*
 * All statements that write pg-boss's private tables, for changes that its API does not offer. Everything else uses the
 * API, except that the functions `rowgate_jobs.resend_events`, `stuck_callbacks` and `stuck_mails` read the job table. A
 * test compares the installed library with `knownTables`. When it fails, adapt these statements to the library's changes.
 */

/** The schema version of pg-boss and the columns of its job table that these statements and functions use. */
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
    group_id: 'text',
  },
  /** The states in the order of the enum. A state before `completed` means that the job is not finished. */
  states: ['created', 'retry', 'active', 'completed', 'cancelled', 'failed'],
} as const;

/** Deletes a job unless a worker has taken it. `boss.deleteJob` would also delete an active job. */
export async function deleteUnlessActive(db: Db, queue: string, id: string): Promise<void> {
  await db.executeSql(
    `delete from ${queueSchema}.job j where j.name = $1 and j.id = $2 and j.state <> 'active'`,
    [queue, id],
  );
}

/**
 * Sets the delay of each failed job before its retry. With an infinite delay, the job waits for `releaseJobs`.
 * `boss.update` changes only one job per call.
 */
export async function delayRetries(
  client: pg.ClientBase,
  queue: string,
  jobs: readonly { readonly id: string; readonly afterMs: number }[],
): Promise<void> {
  await client.query(
    `update ${queueSchema}.job j set start_after =
       case when a.ms = 'infinity' then 'infinity' else now() + a.ms * interval '1 ms' end
     from unnest($2::uuid[], $3::float8[]) as a (id, ms)
     where j.name = $1 and j.id = a.id and j.state = 'retry'`,
    [queue, jobs.map(({ id }) => id), jobs.map(({ afterMs }) => afterMs)],
  );
}

/** Makes the jobs of a group due whose delay is infinite. */
export async function releaseJobs(
  client: pg.ClientBase,
  queue: string,
  group: string,
): Promise<void> {
  await client.query(
    `update ${queueSchema}.job j set start_after = now()
     where j.name = $1 and j.group_id = $2 and j.state = 'retry' and j.start_after = 'infinity'`,
    [queue, group],
  );
}

/** Raises the retry limit of active jobs by one. `boss.update` does not change active jobs. */
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

/** Sets the time by which workers order jobs. `boss.insert` uses the start time of the transaction. */
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
