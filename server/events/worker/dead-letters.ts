import type pg from 'pg';
import type { JobWithMetadata } from 'pg-boss';
import { withTransaction } from '../../db/with-transaction.ts';
import { type Queue, within } from '../../queue/open-queue.ts';
import { deadQueue, type EventJob } from '../event-queues.ts';

const reason = 'every worker that tried to deliver it died or did not finish';

/**
 * Processes jobs that pg-boss no longer retries: marks their events as dead and unblocks later events of the same key.
 * Runs until pg-boss's `offWork` is called for the queue.
 */
export async function workDeadLetters(
  { pool, queue }: { readonly pool: pg.Pool; readonly queue: Queue },
  pollSeconds: number,
): Promise<void> {
  const options = { batchSize: 50, pollingIntervalSeconds: pollSeconds } as const;
  await queue.boss.work(
    deadQueue,
    { ...options, includeMetadata: true },
    (jobs: JobWithMetadata<EventJob>[]) =>
      withTransaction(pool, (client) => markDead(client, queue, jobs)),
  );
}

async function markDead(
  client: pg.ClientBase,
  { boss }: Queue,
  jobs: readonly JobWithMetadata<EventJob>[],
): Promise<void> {
  await client.query(
    `update rowgate_events.event e set dead_at = now(), dead_reason = $3
     from unnest($1::uuid[], $2::timestamptz[]) as j (id, at)
     where e.id = j.id and e.created_at = j.at and e.delivered_at is null and e.dead_at is null`,
    [jobs.map(({ data }) => data.id), jobs.map(({ data }) => data.at), reason],
  );
  for (const { sourceName, sourceId } of jobs) {
    // The failed job is deleted, because it would block all later jobs with the same key.
    if (sourceName && sourceId) await boss.deleteJob(sourceName, sourceId, within(client));
  }
}
