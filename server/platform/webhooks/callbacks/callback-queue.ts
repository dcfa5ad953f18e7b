import type { Db, PgBoss } from 'pg-boss';

/** The queue of stored callbacks that wait for a worker. */
export const callbackQueue = 'callbacks';
/** The queue of callbacks whose last retry has failed. */
export const deadCallbackQueue = 'callbacks-dead';

/** The data of a job. The callback itself is in the inbox. */
export interface CallbackJob {
  /** The id of the callback in the inbox. */
  readonly id: string;
  /**
   * The object, such as a wallet, that was just linked to a person. Later callbacks that wait for the same object are
   * processed after this callback.
   */
  readonly linked?: string;
}

const daySeconds = 24 * 3600;

const options = {
  heartbeatSeconds: 45,
  expireInSeconds: 600,
  // The pauses are 5 s, 10 s, 20 s … up to an hour. All retries together take about a day.
  retryLimit: 30,
  retryDelay: 5,
  retryBackoff: true,
  retryDelayMax: 3600,
  retentionSeconds: 90 * daySeconds,
  deleteAfterSeconds: daySeconds,
  notify: true,
} as const;

/** Creates the queues, or updates their options to those of this version. */
export async function prepareCallbackQueues(boss: PgBoss): Promise<void> {
  await boss.createQueue(deadCallbackQueue, options);
  const live = { ...options, deadLetter: deadCallbackQueue };
  await boss.createQueue(callbackQueue, live);
  await boss.updateQueue(deadCallbackQueue, options);
  await boss.updateQueue(callbackQueue, live);
}

/**
 * Queues callbacks for processing.
 * @param within the database transaction; absent: no transaction
 */
export async function sendCallbacks(
  boss: PgBoss,
  ids: readonly string[],
  within: { readonly db?: Db } = {},
): Promise<void> {
  const jobs = ids.map((id) => ({ id }));
  await sendCallbackJobs(boss, jobs, within);
}

/**
 * Queues jobs for callbacks.
 * @param within the database transaction; absent: no transaction
 */
export async function sendCallbackJobs(
  boss: PgBoss,
  jobs: readonly CallbackJob[],
  within: { readonly db?: Db } = {},
): Promise<void> {
  if (jobs.length === 0) return;
  const inserted = jobs.map((data) => ({ data }));
  await boss.insert(callbackQueue, inserted, within);
}
