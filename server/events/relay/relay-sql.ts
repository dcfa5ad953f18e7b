import type pg from 'pg';
import { setCreatedOn } from '../../queue/queue-tables.ts';

/** An event that is to be handed to the queue. */
export interface WaitingEvent {
  readonly id: string;
  /** Exactly, and the same in whatever style and zone the database writes times. */
  readonly at: string;
  readonly trigger: string;
  readonly order_key: string | null;
  /** Under which its job is found before those of later events. */
  readonly job_id: string;
}

/** Takes the turn of the only one who relays until the transaction ends; false where somebody else has it. */
export async function takeTurn(client: pg.ClientBase): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from rowgate_events.turn where name = 'relay' for update skip locked`,
  );
  return rowCount === 1;
}

/**
 * The next events in their order. One of an unknown trigger waits for a while: its metadata may be about to be applied.
 * Where other rules hold than those asked about, it waits for who has them.
 * The id of a job is a UUID of version 8 that begins with the event's place.
 */
export async function readWaiting(
  client: pg.ClientBase,
  options: {
    readonly triggers: readonly string[];
    /** Of the rules that have these triggers and no others. */
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

/** Marks events as handed over. */
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

/** Gives events up whose triggers the rules do not have that hold. */
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
 * Sees to it that these jobs come after all earlier ones of their keys, which the queue takes by the time of their
 * making: that is when the transaction began, not when it got its turn, and clocks go back.
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

/** Tells the workers of all processes, once the transaction commits. */
export async function tellWorkers(client: pg.ClientBase, channel: string): Promise<void> {
  await client.query('select pg_catalog.pg_notify($1, $2)', [channel, '']);
}
