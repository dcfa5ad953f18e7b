import type pg from 'pg';

/** The unfinished and dead events of a trigger. */
export interface TriggerState {
  readonly trigger: string;
  readonly pending: number;
  readonly failed: number;
  readonly dead: number;
  /** The age of the oldest unfinished event, in seconds. */
  readonly oldestSeconds: number | null;
}

/**
 * Counts the unfinished and dead events by trigger. Unlike `readStats`, it reads at most the oldest unfinished and the
 * newest dead events, so that a page can ask often.
 * @param most the maximum number of events of each kind
 */
export async function readTriggerStates(
  client: pg.ClientBase,
  most: number,
): Promise<readonly TriggerState[]> {
  const { rows } = await client.query<TriggerState>(
    `select s.trigger,
       (count(*) filter (where s.kind = 'pending'))::integer as pending,
       (count(*) filter (where s.kind = 'failed'))::integer as failed,
       (count(*) filter (where s.kind = 'dead'))::integer as dead,
       extract(epoch from now() - min(s.created_at) filter (where s.kind <> 'dead'))::float8 as "oldestSeconds"
     from (
       (select trigger, created_at, case when tries > earlier_tries then 'failed' else 'pending' end as kind
        from rowgate_events.event where delivered_at is null and dead_at is null order by created_at limit $1)
       union all
       (select trigger, created_at, 'dead' from rowgate_events.event
        where dead_at is not null order by created_at desc limit $1)
     ) s
     group by s.trigger order by s.trigger`,
    [most],
  );
  return rows;
}
