import type { Db, JobResult, PgBoss } from 'pg-boss';
import { errorMessage } from '../errors.ts';
import { deleteUnlessActive } from '../queue/queue-tables.ts';

const name = 'mail';
const hour = 3600;
const day = 24 * hour;

/** Tried again for five days: after half a minute first, then more and more rarely, in the end every hour. */
const options = {
  retryLimit: 125,
  retryDelay: 30,
  retryBackoff: true,
  retryDelayMax: hour,
  expireInSeconds: 600,
  // After this time without a sign of life, whoever was sending it is taken for dead.
  heartbeatSeconds: 45,
  // Without a mail server they wait.
  retentionSeconds: 365 * day,
  deleteAfterSeconds: day,
  notify: true,
};

/** As many as a slow server takes before they expire, by the few connections that there are. */
const work = {
  batchSize: 12,
  includeMetadata: true,
  perJobResults: true,
  burstWhenBatchFull: true,
  pollingIntervalSeconds: 2,
  // For those whose time has come again: of new ones Postgres tells.
  notifyPollingIntervalSeconds: 5,
} as const;

const mostAtOnce = 1000;

/** What is to be sent, or sent again. */
export interface MailJob {
  readonly id: string;
  /** Whether it is tried again after this time. */
  readonly isLast: boolean;
}

/** The queue itself; safe to call again. */
export async function prepareMailQueue(boss: PgBoss): Promise<void> {
  await boss.createQueue(name, options);
  await boss.updateQueue(name, options);
}

/** A job for each mail, by the mail's own id: those that have one get no other. */
export async function queueMails(
  boss: PgBoss,
  ids: readonly string[],
  within: { readonly db?: Db } = {},
): Promise<void> {
  for (let at = 0; at < ids.length; at += mostAtOnce) {
    const jobs = ids.slice(at, at + mostAtOnce).map((id) => ({ id }));
    await boss.insert(name, jobs, within);
  }
}

/** Takes the job of a mail out of the queue, if there is one; false where a worker is at it, which it stays. */
export async function takeBack(boss: PgBoss, id: string): Promise<boolean> {
  await deleteUnlessActive(boss.getDb(), name, id);
  const jobs = await boss.findJobs(name, { id });
  return jobs.every(({ state }) => state !== 'active');
}

/** A new job for a mail, unless a worker is at it. */
export async function queueAgain(boss: PgBoss, id: string): Promise<void> {
  if (await takeBack(boss, id)) await queueMails(boss, [id]);
}

/** Takes more while there are some; `send` says by an error that a mail is to be tried again. */
export async function workOnMails(
  boss: PgBoss,
  send: (job: MailJob) => Promise<void>,
): Promise<void> {
  await boss.work(name, work, (jobs) =>
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
