import type pg from 'pg';
import type { EventJob } from '../event-queues.ts';

/** An event as a worker loads it. */
export interface LoadedEvent {
  readonly trigger: string;
  /** The number of failures since an operator last requested redelivery, or since the start. */
  readonly failures: number;
  /** Whether the event is already delivered or dead. */
  readonly settled: boolean;
  /** Whether the trigger of the event is paused. */
  readonly paused: boolean;
  /** The payload; undefined when the payload is large and must be loaded separately. */
  readonly body: string | undefined;
}

/** Minimum stored (compressed) size of a payload that is loaded separately, in bytes. */
const largeBytes = 32 * 1024;

/** The payload. Postgres formats it, so that numbers keep all digits. */
const payload = `json_build_object(
  'id', e.id,
  'created_at', to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
  'trigger', json_build_object('name', e.trigger),
  'table', json_build_object('schema', e.table_schema, 'name', e.table_name),
  'event', json_build_object(
    'op', e.op, 'session_variables', e.session_variables, 'trace_context', null, 'data', e.data
  ),
  'delivery_info', json_build_object(
    'max_retries', ($3::jsonb ->> e.trigger)::integer, 'current_retry', e.tries - e.earlier_tries
  )
)::text`;

const found = `rowgate_events.event e
  join unnest($1::uuid[], $2::timestamptz[]) as j (id, at) on e.id = j.id and e.created_at = j.at`;

/** Loads the events of jobs, by id, without deleted events. */
export async function loadEvents(
  pool: pg.Pool,
  jobs: readonly EventJob[],
  limits: Readonly<Record<string, number>>,
): Promise<ReadonlyMap<string, LoadedEvent>> {
  const events = await readEvents(pool, jobs, limits);
  const missed = jobs.filter(({ id }) => !events.has(id));
  if (missed.length === 0) return events;
  // Reads missing events again. A statement that had to wait for the creation of a partition does not see the rows of
  // that partition; the next statement sees them.
  return new Map([...events, ...(await readEvents(pool, missed, limits))]);
}

async function readEvents(
  pool: pg.Pool,
  jobs: readonly EventJob[],
  limits: Readonly<Record<string, number>>,
): Promise<ReadonlyMap<string, LoadedEvent>> {
  const { rows } = await pool.query<{
    readonly id: string;
    readonly trigger: string;
    readonly failures: number;
    readonly settled: boolean;
    readonly paused: boolean;
    readonly body: string | null;
  }>(
    `select e.id, e.trigger, e.tries - e.earlier_tries as failures,
       e.delivered_at is not null or e.dead_at is not null as settled,
       exists (select from rowgate_events.paused_trigger p where p.trigger = e.trigger) as paused,
       case when pg_column_size(e.data) <= ${largeBytes} then ${payload} end as body
     from ${found}`,
    parameters(jobs, limits),
  );
  return new Map(rows.map(({ id, body, ...event }) => [id, { ...event, body: body ?? undefined }]));
}

/** Loads the payload of one event; undefined when the event was deleted. */
export async function loadBody(
  pool: pg.Pool,
  job: EventJob,
  limits: Readonly<Record<string, number>>,
): Promise<string | undefined> {
  const { rows } = await pool.query<{ readonly body: string }>(
    `select ${payload} as body from ${found}`,
    parameters([job], limits),
  );
  return rows[0]?.body;
}

function parameters(jobs: readonly EventJob[], limits: Readonly<Record<string, number>>) {
  return [jobs.map(({ id }) => id), jobs.map(({ at }) => at), JSON.stringify(limits)];
}
