import type { Db, PgBoss } from 'pg-boss';

/** Callbacks that are stored, to be processed. */
export const callbackQueue = 'callbacks';
/** Those that were tried often enough. */
export const deadCallbackQueue = 'callbacks-dead';

/** What a job says of its callback, which itself stays in the inbox. */
export interface CallbackJob {
  /** Of the inbox. */
  readonly id: string;
  /** What was linked: the unmatched callbacks after this one that wait for it are processed too. */
  readonly linked?: string;
}

const daySeconds = 24 * 3600;

const options = {
  heartbeatSeconds: 45,
  expireInSeconds: 600,
  // 5 s, 10 s, 20 s … then every hour: about a day in all.
  retryLimit: 30,
  retryDelay: 5,
  retryBackoff: true,
  retryDelayMax: 3600,
  retentionSeconds: 90 * daySeconds,
  deleteAfterSeconds: daySeconds,
  notify: true,
} as const;

/** Makes the queues, or brings them up to what this version wants. */
export async function prepareCallbackQueues(boss: PgBoss): Promise<void> {
  await boss.createQueue(deadCallbackQueue, options);
  const live = { ...options, deadLetter: deadCallbackQueue };
  await boss.createQueue(callbackQueue, live);
  await boss.updateQueue(deadCallbackQueue, options);
  await boss.updateQueue(callbackQueue, live);
}

/** Asks for callbacks to be processed. */
export async function sendCallbacks(
  boss: PgBoss,
  ids: readonly string[],
  within: { readonly db?: Db } = {},
): Promise<void> {
  const jobs = ids.map((id) => ({ id }));
  await sendCallbackJobs(boss, jobs, within);
}

/** The same, of jobs that may say more. */
export async function sendCallbackJobs(
  boss: PgBoss,
  jobs: readonly CallbackJob[],
  within: { readonly db?: Db } = {},
): Promise<void> {
  if (jobs.length === 0) return;
  const inserted = jobs.map((data) => ({ data }));
  await boss.insert(callbackQueue, inserted, within);
}
