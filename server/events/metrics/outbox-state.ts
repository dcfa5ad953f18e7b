import type pg from 'pg';
import type { PgBoss } from 'pg-boss';

/**
 * The state of outbox and queue. Reading it is cheap, because the queries use indexes and the counters of the queue.
 */
export interface OutboxState {
  readonly pending: number;
  /** The age of the oldest pending event; 0 without pending events. */
  readonly oldestSeconds: number;
  readonly dead: number;
  /** The names of paused event triggers. */
  readonly paused: readonly string[];
  readonly queues: readonly {
    readonly queue: string;
    readonly waiting: number;
    readonly deferred: number;
    readonly active: number;
    readonly failed: number;
  }[];
}

/** Reads the state from the database. */
export async function readOutboxState(
  pool: pg.Pool,
  boss: Pick<PgBoss, 'getQueues'>,
): Promise<OutboxState> {
  const counted = await pool.query<Omit<OutboxState, 'queues'>>(
    `select open.pending, open."oldestSeconds", dead.dead,
       array(select trigger from rowgate_events.paused_trigger order by trigger) as paused
     from (
       select count(*)::float8 as pending,
         coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as "oldestSeconds"
       from rowgate_events.event where delivered_at is null and dead_at is null
     ) open, (
       select count(*)::float8 as dead from rowgate_events.event where dead_at is not null
     ) dead`,
  );
  const queues = (await boss.getQueues()).filter(({ name }) => !name.startsWith('__pgboss'));
  const [counts = { pending: 0, oldestSeconds: 0, dead: 0, paused: [] }] = counted.rows;
  return {
    ...counts,
    queues: queues.map(({ name, queuedCount, deferredCount, activeCount, failedCount }) => ({
      queue: name,
      waiting: queuedCount,
      deferred: deferredCount,
      active: activeCount,
      failed: failedCount,
    })),
  };
}
