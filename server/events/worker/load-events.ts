import type pg from 'pg';
import type { EventJob } from '../event-queues.ts';

/** What a worker needs to know of an event. */
export interface LoadedEvent {
  readonly trigger: string;
  /** Failures since it was last asked to be delivered. */
  readonly failures: number;
  /** Whether it was delivered or given up already. */
  readonly settled: boolean;
  /** Undefined where it is so large that it is better read alone. */
  readonly body: string | undefined;
}

/** Bytes as stored, compressed, above which a payload is read by itself. */
const largeBytes = 32 * 1024;

/** What is sent: Postgres writes it, so that every number stays as it is. */
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

/** The events of jobs, by id; without those that are no longer there. */
export async function loadEvents(
  pool: pg.Pool,
  jobs: readonly EventJob[],
  limits: Readonly<Record<string, number>>,
): Promise<ReadonlyMap<string, LoadedEvent>> {
  const events = await readEvents(pool, jobs, limits);
  const missed = jobs.filter(({ id }) => !events.has(id));
  if (missed.length === 0) return events;
  // A statement that waits while a day is given its partition does not see it; the next one does.
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
    readonly body: string | null;
  }>(
    `select e.id, e.trigger, e.tries - e.earlier_tries as failures,
       e.delivered_at is not null or e.dead_at is not null as settled,
       case when pg_column_size(e.data) <= ${largeBytes} then ${payload} end as body
     from ${found}`,
    parameters(jobs, limits),
  );
  return new Map(rows.map(({ id, body, ...event }) => [id, { ...event, body: body ?? undefined }]));
}

/** The payload of one event, however large; undefined where the event is no longer there. */
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
