import type { PgBoss, QueuePolicy } from 'pg-boss';

/** The queue of events that are delivered in any order. */
export const plainQueue = 'events';
/** The queue of events that are delivered in order for each key. */
export const orderedQueue = 'events-ordered';
/** The queue of jobs that pg-boss no longer retries because every worker that took them died. */
export const deadQueue = 'events-dead';

export type EventQueue = typeof plainQueue | typeof orderedQueue;

/** The data of a job: the key of its event in the outbox. */
export interface EventJob {
  readonly id: string;
  /** The exact creation time of the event, in ISO 8601 and UTC. */
  readonly at: string;
}

const yearSeconds = 365 * 24 * 3600;

/** Options of both queues. They apply to a job whose worker dies before it has reported a result. */
const common = {
  // pg-boss does not delay a retry: another worker immediately takes over the job of a dead worker. After a failed
  // delivery, the worker decides the delay.
  retryDelay: 0,
  retryBackoff: false,
  // pg-boss deletes jobs after this time, so it must be longer than any series of retries.
  retentionSeconds: yearSeconds,
  deleteAfterSeconds: 3600,
} as const;

/** Creates the queues, or updates their options. */
export async function prepareEventQueues(boss: PgBoss): Promise<void> {
  await makeQueue(boss, deadQueue, 'standard', common);
  const live = { ...common, deadLetter: deadQueue };
  await makeQueue(boss, plainQueue, 'standard', live);
  await makeQueue(boss, orderedQueue, 'key_strict_fifo', live);
}

async function makeQueue(
  boss: PgBoss,
  name: string,
  policy: QueuePolicy,
  options: typeof common & { readonly deadLetter?: string },
): Promise<void> {
  await boss.createQueue(name, { policy, ...options });
  await boss.updateQueue(name, options);
}
