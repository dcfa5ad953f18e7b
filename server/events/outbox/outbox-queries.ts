import type pg from 'pg';

/** The states of an event. A `failed` event is retried, and a `dead` event is not. */
export const eventStates = ['pending', 'delivered', 'failed', 'dead'] as const;

export type EventState = (typeof eventStates)[number];

/** The SQL condition of each state. An index exists for each condition that few events satisfy. */
const conditions: Readonly<Record<EventState, string>> = {
  pending: 'e.delivered_at is null and e.dead_at is null and e.tries = e.earlier_tries',
  failed: 'e.delivered_at is null and e.dead_at is null and e.tries > e.earlier_tries',
  delivered: 'e.delivered_at is not null',
  dead: 'e.dead_at is not null',
};

const state = `case ${eventStates.map((name) => `when ${conditions[name]} then '${name}'`).join(' ')} end`;

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

/** Lists events, the newest first. */
export async function listEvents(
  client: pg.ClientBase,
  filter: { readonly trigger?: string; readonly state?: EventState; readonly limit: number },
): Promise<readonly ListedEvent[]> {
  const { rows } = await client.query<ListedEvent>(
    `select ${listed} from rowgate_events.event e
     where ($1::text is null or e.trigger = $1) ${filter.state ? `and ${conditions[filter.state]}` : ''}
     order by e.created_at desc, e.place desc limit $2`,
    [filter.trigger ?? null, filter.limit],
  );
  return rows;
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
}

/** Reads the statistics of all triggers that have events, by name. */
export async function readStats(client: pg.ClientBase): Promise<readonly TriggerStats[]> {
  const counts = eventStates.map(
    (name) => `(count(*) filter (where ${conditions[name]}))::float8 as ${name}`,
  );
  const { rows } = await client.query<TriggerStats>(
    `select e.trigger, ${counts.join(', ')},
       greatest(sum(e.tries) - count(e.delivered_at), 0)::float8 as failures,
       extract(epoch from now() - min(e.created_at) filter (
         where e.delivered_at is null and e.dead_at is null
       ))::float8 as "oldestSeconds"
     from rowgate_events.event e group by e.trigger order by e.trigger`,
  );
  return rows;
}
