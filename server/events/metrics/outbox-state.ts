import type pg from 'pg';

/** How things stand, by indexes and by what the queue has counted itself. */
export interface OutboxState {
  readonly pending: number;
  /** 0 where nothing is pending. */
  readonly oldestSeconds: number;
  readonly dead: number;
  readonly queues: readonly {
    readonly queue: string;
    readonly waiting: number;
    readonly deferred: number;
    readonly active: number;
    readonly failed: number;
  }[];
}

/** Asks the database. */
export async function readOutboxState(pool: pg.Pool): Promise<OutboxState> {
  const counted = await pool.query<Omit<OutboxState, 'queues'>>(
    `select open.pending, open."oldestSeconds", dead.dead
     from (
       select count(*)::float8 as pending,
         coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as "oldestSeconds"
       from rowgate_events.event where delivered_at is null and dead_at is null
     ) open, (
       select count(*)::float8 as dead from rowgate_events.event where dead_at is not null
     ) dead`,
  );
  const queues = await pool.query<OutboxState['queues'][number]>(
    `select name as queue, queued_count as waiting, deferred_count as deferred,
       active_count as active, failed_count as failed
     from rowgate_queue.queue where name not like '\\_\\_pgboss%' order by name`,
  );
  const [counts = { pending: 0, oldestSeconds: 0, dead: 0 }] = counted.rows;
  return { ...counts, queues: queues.rows };
}
