import type { Db, PgBoss } from 'pg-boss';

/** Callbacks that are stored, to be processed. */
export const callbackQueue = 'callbacks';
/** Those that were tried often enough. */
export const deadCallbackQueue = 'callbacks-dead';

/** What a job says of its callback, which itself stays in the inbox. */
export interface CallbackJob {
  /** Of the inbox. */
  readonly id: string;
  /** Whether the unmatched callbacks after it are processed too that wait for the same wallet, card or person. */
  readonly andNext?: boolean;
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
  { andNext }: Pick<CallbackJob, 'andNext'> = {},
): Promise<void> {
  if (ids.length === 0) return;
  const jobs = ids.map((id) => ({
    data: { id, ...(andNext && { andNext }) } satisfies CallbackJob,
  }));
  await boss.insert(callbackQueue, jobs, within);
}
