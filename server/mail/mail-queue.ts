import type { Db, JobResult, PgBoss } from 'pg-boss';
import { errorMessage } from '../errors.ts';
import { deleteUnlessActive } from '../queue/queue-tables.ts';

const name = 'mail';
const hour = 3600;
const day = 24 * hour;

/** A mail is retried for five days: first after half a minute, then at growing intervals of up to an hour. */
const options = {
  retryLimit: 125,
  retryDelay: 30,
  retryBackoff: true,
  retryDelayMax: hour,
  expireInSeconds: 600,
  // A worker without a heartbeat for this time counts as dead.
  heartbeatSeconds: 45,
  // pg-boss deletes jobs after this time. It is long, because mails wait until a mail server is configured.
  retentionSeconds: 365 * day,
  deleteAfterSeconds: day,
  notify: true,
};

/**
 * The batch is small enough that even a slow mail server accepts all its mails over four connections before the jobs
 * expire.
 */
const workOptions = {
  batchSize: 12,
  includeMetadata: true,
  perJobResults: true,
  burstWhenBatchFull: true,
  pollingIntervalSeconds: 2,
  // Polling finds retries that are due. New jobs need no polling, because Postgres sends a notice for them.
  notifyPollingIntervalSeconds: 5,
} as const;

const maxJobsPerInsert = 1000;

/** A job that sends one mail. */
export interface MailJob {
  /** The id of the mail. */
  readonly id: string;
  /** Whether this is the last attempt. */
  readonly isLast: boolean;
}

/** Creates the queue or updates its options. Safe to call again. */
export async function prepareMailQueue(boss: PgBoss): Promise<void> {
  await boss.createQueue(name, options);
  await boss.updateQueue(name, options);
}

/** Inserts a job for each mail. The job has the id of the mail, so a mail has at most one job and is not sent twice. */
export async function queueMails(
  boss: PgBoss,
  ids: readonly string[],
  within: { readonly db?: Db } = {},
): Promise<void> {
  for (let at = 0; at < ids.length; at += maxJobsPerInsert) {
    const jobs = ids.slice(at, at + maxJobsPerInsert).map((id) => ({ id }));
    await boss.insert(name, jobs, within);
  }
}

/** Removes the job of a mail. Returns false when a worker is sending the mail; the job then stays. */
export async function removeMailJob(boss: PgBoss, id: string): Promise<boolean> {
  await deleteUnlessActive(boss.getDb(), name, id);
  const jobs = await boss.findJobs(name, { id });
  return jobs.every(({ state }) => state !== 'active');
}

/** Replaces the job of a mail by a new one, unless a worker is sending the mail. */
export async function queueAgain(boss: PgBoss, id: string): Promise<void> {
  if (await removeMailJob(boss, id)) await queueMails(boss, [id]);
}

/** Runs the jobs until the queue closes. @param send sends one mail, and throws to request a retry */
export async function workOnMails(
  boss: PgBoss,
  send: (job: MailJob) => Promise<void>,
): Promise<void> {
  await boss.work(name, workOptions, (jobs) =>
    Promise.all(
      jobs.map(async ({ id, retryCount, retryLimit }): Promise<JobResult> => {
        try {
          await send({ id, isLast: retryCount >= retryLimit });
          return { id, status: 'completed' };
        } catch (error) {
          return { id, status: 'failed', output: { reason: errorMessage(error) } };
        }
      }),
    ),
  );
}
