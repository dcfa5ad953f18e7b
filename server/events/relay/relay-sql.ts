import type pg from 'pg';
import { setCreatedOn } from '../../queue/queue-tables.ts';

/** An event that waits to be queued. */
export interface WaitingEvent {
  readonly id: string;
  /** The exact creation time, independent of the database's date style and time zone. */
  readonly at: string;
  readonly trigger: string;
  readonly order_key: string | null;
  /** The id of the event's job. It sorts before the ids of jobs of later events. */
  readonly job_id: string;
}

/**
 * Takes the lock of the relay for this transaction, so that only one process queues events at a time. Returns false
 * when another process holds the lock.
 */
export async function takeTurn(client: pg.ClientBase): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from rowgate_events.turn where name = 'relay' for update skip locked`,
  );
  return rowCount === 1;
}

/**
 * Reads the next events in order. An event of an unknown trigger waits for a while, because its metadata may be applied
 * soon. When this process does not have the applied rules, the event waits for a process that has them. The id of a job
 * is a UUID of version 8 that begins with the position of the event, so that ids sort like the events.
 */
export async function readWaiting(
  client: pg.ClientBase,
  options: {
    readonly triggers: readonly string[];
    /** The fingerprint that identifies the rules from which these triggers come. */
    readonly fingerprint: string;
    readonly graceMs: number;
    readonly limit: number;
  },
): Promise<readonly WaitingEvent[]> {
  const { rows } = await client.query<WaitingEvent>(
    `select e.id, to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, e.trigger, e.order_key,
       overlay(
         overlay(pg_catalog.gen_random_uuid()::text placing '8' from 15)
         placing substr(p.hex, 1, 8) || '-' || substr(p.hex, 9, 4) from 1
       )::uuid as job_id
     from rowgate_events.event e
     cross join lateral (select lpad(to_hex(e.place), 12, '0') as hex) p
     where e.relayed_at is null
       and (e.trigger = any ($1) or e.created_at < now() - $2 * interval '1 ms'
        and (select rowgate_api.applied_fingerprint()) = $4)
     order by e.place limit $3`,
    [options.triggers, options.graceMs, options.limit, options.fingerprint],
  );
  return rows;
}

/** Marks events as queued. */
export async function markRelayed(
  client: pg.ClientBase,
  events: readonly WaitingEvent[],
): Promise<void> {
  await client.query(
    `update rowgate_events.event e set relayed_at = now()
     from unnest($1::uuid[], $2::timestamptz[]) as r (id, at)
     where e.id = r.id and e.created_at = r.at`,
    [events.map(({ id }) => id), events.map(({ at }) => at)],
  );
}

/** Keeps events of paused triggers out of the queue until their triggers are resumed. */
export async function holdBack(
  client: pg.ClientBase,
  events: readonly WaitingEvent[],
): Promise<void> {
  await client.query(
    `update rowgate_events.event e set relayed_at = 'infinity'
     from unnest($1::uuid[], $2::timestamptz[]) as r (id, at)
     where e.id = r.id and e.created_at = r.at`,
    [events.map(({ id }) => id), events.map(({ at }) => at)],
  );
}

/** Marks events as dead when their triggers are not in the applied rules. */
export async function markUnknown(
  client: pg.ClientBase,
  events: readonly WaitingEvent[],
): Promise<void> {
  await client.query(
    `update rowgate_events.event e set relayed_at = now(), dead_at = now(),
       dead_reason = format('the metadata has no event trigger "%s" any more', e.trigger)
     from unnest($1::uuid[], $2::timestamptz[]) as r (id, at)
     where e.id = r.id and e.created_at = r.at`,
    [events.map(({ id }) => id), events.map(({ at }) => at)],
  );
}

/**
 * Moves the creation times of these jobs after the creation times of all earlier jobs with the same key, because
 * pg-boss delivers jobs in the order of their creation times. The creation time is the start of the transaction, which
 * may be before the relay got its lock, and clocks may go back.
 */
export async function keepBehind(
  client: pg.ClientBase,
  queue: string,
  jobIds: readonly string[],
): Promise<void> {
  const { rows } = await client.query<{ readonly late: boolean; readonly at: string }>(
    `update rowgate_events.turn t set at = greatest(now(), t.at + interval '1 microsecond')
     from (select at from rowgate_events.turn where name = 'relay') before
     where t.name = 'relay'
     returning before.at >= now() as late, t.at::text as at`,
  );
  const [turn] = rows;
  if (turn?.late) await setCreatedOn(client, queue, jobIds, turn.at);
}

/** Notifies the workers of all processes when the transaction commits. */
export async function notifyWorkers(client: pg.ClientBase, channel: string): Promise<void> {
  await client.query('select pg_catalog.pg_notify($1, $2)', [channel, '']);
}
