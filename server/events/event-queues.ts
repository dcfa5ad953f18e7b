import type { PgBoss, QueuePolicy } from 'pg-boss';

/** Events in any order. */
export const plainQueue = 'events';
/** Events that are delivered one after the other, key by key. */
export const orderedQueue = 'events-ordered';
/** Jobs that the queue itself gave up, since every worker that took them died. */
export const deadQueue = 'events-dead';

export type EventQueue = typeof plainQueue | typeof orderedQueue;

/** What a job says of its event; the event itself stays in the outbox. */
export interface EventJob {
  readonly id: string;
  /** When the event was made, exactly, in ISO 8601 and UTC. */
  readonly at: string;
}

const yearSeconds = 365 * 24 * 3600;

/** How the queue treats jobs whose worker does not settle them. */
const common = {
  // Others take it up at once where a worker died; how long a receiver is left alone is decided by the worker.
  retryDelay: 0,
  retryBackoff: false,
  // Longer than any series of tries.
  retentionSeconds: yearSeconds,
  deleteAfterSeconds: 3600,
} as const;

/** Makes the queues, or brings them up to what this version wants. */
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
