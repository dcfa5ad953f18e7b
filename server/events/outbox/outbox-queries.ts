import type pg from 'pg';
import {
  conditionOf,
  type EventFilter,
  type EventState,
  eventStates,
  stateConditions,
} from './event-filter.ts';

const state = `case ${eventStates.map((name) => `when ${stateConditions[name]} then '${name}'`).join(' ')} end`;

export interface ListedEvent {
  readonly id: string;
  readonly createdAt: Date;
  readonly trigger: string;
  readonly table: string;
  readonly op: string;
  readonly state: EventState;
  readonly tries: number;
  /** The reason why the event is dead. */
  readonly reason: string | null;
}

export interface ShownEvent extends ListedEvent {
  readonly orderKey: string | null;
  readonly sessionVariables: unknown;
  /** JSON text with all digits of its numbers. */
  readonly data: string;
  readonly relayedAt: Date | null;
  readonly deliveredAt: Date | null;
  readonly deadAt: Date | null;
  readonly attempts: readonly ShownAttempt[];
}

export interface ShownAttempt {
  readonly number: number;
  readonly at: Date;
  readonly status: number | null;
  readonly durationMs: number;
  readonly excerpt: string | null;
  readonly error: string | null;
}

const listed = `e.id, e.created_at as "createdAt", e.trigger,
  e.table_schema || '.' || e.table_name as "table", e.op, ${state} as state, e.tries, e.dead_reason as reason`;

/** An event with the answer to its last try. */
export interface AnsweredEvent extends ListedEvent {
  /** The HTTP status; null without a try or without an answer. */
  readonly status: number | null;
}

/**
 * Lists events, the newest first.
 * @param page the maximum number, and the id of the event after which the page begins
 */
export async function listEvents(
  client: pg.ClientBase,
  filter: EventFilter,
  { limit, before }: { readonly limit: number; readonly before?: string | undefined },
): Promise<readonly AnsweredEvent[]> {
  const { text, values } = conditionOf(filter);
  const given = [...values, limit, ...(before === undefined ? [] : [before])];
  const rest = `(e.created_at, e.place) < (
    select b.created_at, b.place from rowgate_events.event b where b.id = $${given.length})`;
  const { rows } = await client.query<AnsweredEvent>(
    `select ${listed}, a.status
     from (
       select * from rowgate_events.event e where ${text} ${before === undefined ? '' : `and ${rest}`}
       order by e.created_at desc, e.place desc limit $${values.length + 1}
     ) e
     left join rowgate_events.attempt a
       on a.event_created_at = e.created_at and a.event_id = e.id and a.number = e.tries
     order by e.created_at desc, e.place desc`,
    given,
  );
  return rows;
}

/** Counts the events of a filter, up to a maximum. */
export async function countEvents(
  client: pg.ClientBase,
  filter: EventFilter,
  most: number,
): Promise<number> {
  const { text, values } = conditionOf(filter);
  const { rows } = await client.query<{ readonly count: number }>(
    `select count(*)::integer as count
     from (select from rowgate_events.event e where ${text} limit $${values.length + 1}) e`,
    [...values, most],
  );
  return rows[0]?.count ?? 0;
}

/** Finds an event with its attempts; undefined when it does not exist. */
export async function findEvent(
  client: pg.ClientBase,
  id: string,
): Promise<ShownEvent | undefined> {
  const { rows } = await client.query<Omit<ShownEvent, 'attempts'>>(
    `select ${listed}, e.order_key as "orderKey", e.session_variables as "sessionVariables",
       e.data::text as data, e.relayed_at as "relayedAt", e.delivered_at as "deliveredAt", e.dead_at as "deadAt"
     from rowgate_events.event e where e.id = $1`,
    [id],
  );
  const [event] = rows;
  if (!event) return undefined;
  const attempts = await client.query<ShownAttempt>(
    `select a.number, a.at, a.status, a.duration_ms as "durationMs", a.excerpt, a.error
     from rowgate_events.event e
     join rowgate_events.attempt a on a.event_created_at = e.created_at and a.event_id = e.id
     where e.id = $1 order by a.number`,
    [id],
  );
  return { ...event, attempts: attempts.rows };
}

/** The number of one trigger's events in each state. */
export interface TriggerStats {
  readonly trigger: string;
  readonly pending: number;
  readonly failed: number;
  readonly delivered: number;
  readonly dead: number;
  /** The number of failed tries. */
  readonly failures: number;
  /** The age of the oldest unfinished event, in seconds. */
  readonly oldestSeconds: number | null;
  /** The time at which the trigger was paused; null if it is not. */
  readonly pausedAt: Date | null;
}

/** Reads the statistics of all triggers that have events or are paused, by name. Reads all events. */
export async function readStats(client: pg.ClientBase): Promise<readonly TriggerStats[]> {
  const counts = eventStates.map(
    (name) => `(count(*) filter (where ${stateConditions[name]}))::float8 as ${name}`,
  );
  const names = [...eventStates, 'failures'].map((name) => `coalesce(s.${name}, 0) as ${name}`);
  const { rows } = await client.query<TriggerStats>(
    `select coalesce(s.trigger, p.trigger) as trigger, ${names.join(', ')}, s."oldestSeconds",
       p.paused_at as "pausedAt"
     from (
       select e.trigger, ${counts.join(', ')},
         greatest(sum(e.tries) - count(e.delivered_at), 0)::float8 as failures,
         extract(epoch from now() - min(e.created_at) filter (
           where e.delivered_at is null and e.dead_at is null
         ))::float8 as "oldestSeconds"
       from rowgate_events.event e group by e.trigger
     ) s
     full join rowgate_events.paused_trigger p on p.trigger = s.trigger
     order by 1`,
  );
  return rows;
}
