import type pg from 'pg';

/** A run in the history. */
export interface Run {
  /** A bigint as text. */
  readonly id: string;
  readonly name: string;
  readonly scheduledFor: Date | null;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
  readonly outcome: 'running' | 'ok' | 'failed';
  readonly detail: Readonly<Record<string, unknown>>;
  readonly instance: string;
}

/**
 * The result of a request to begin a run. `begun`: the run has an id. `busy`: the schedule is running now. `done`: the
 * schedule has already run for this due time.
 */
export type Beginning =
  | { readonly state: 'begun'; readonly runId: string }
  | { readonly state: 'busy' | 'done' };

const columns = `id, name, scheduled_for as "scheduledFor", started_at as "startedAt", finished_at as "finishedAt",
  outcome, detail, instance`;

export async function beginRun(
  pool: pg.Pool,
  run: {
    readonly name: string;
    readonly scheduledFor: Date | undefined;
    readonly instance: string;
  },
): Promise<Beginning> {
  const { rows } = await pool.query<{ readonly runId: string; readonly state: Beginning['state'] }>(
    'select run_id as "runId", state from rowgate_events.begin_run($1, $2, $3)',
    [run.name, run.scheduledFor, run.instance],
  );
  const [row] = rows;
  if (!row) throw new Error('begin_run returned no row');
  return row.state === 'begun' ? { state: 'begun', runId: row.runId } : { state: row.state };
}

/** Records that a run is alive. Returns false when another process has marked the run as failed. */
export async function sendHeartbeat(pool: pg.Pool, runId: string): Promise<boolean> {
  const { rows } = await pool.query<{ readonly alive: boolean }>(
    'select rowgate_events.beat_run($1) as alive',
    [runId],
  );
  return rows[0]?.alive === true;
}

/** Records the outcome of a run. Returns false when another process has marked the run as failed. */
export async function finishRun(
  pool: pg.Pool,
  runId: string,
  { ok, detail }: { readonly ok: boolean; readonly detail: Readonly<Record<string, unknown>> },
): Promise<boolean> {
  const { rows } = await pool.query<{ readonly finished: boolean }>(
    'select rowgate_events.finish_run($1, $2, $3) as finished',
    [runId, ok ? 'ok' : 'failed', JSON.stringify(detail)],
  );
  return rows[0]?.finished === true;
}

/** A connection, or a pool of connections, of the owner. */
type Database = Pick<pg.Pool, 'query'> | pg.ClientBase;

/** Marks runs whose process has died as failed. */
export async function markDeadRuns(database: Database): Promise<void> {
  await database.query('select rowgate_events.mark_dead_runs()');
}

/**
 * Reads the runs of one schedule or of all, the newest first.
 * @param page the maximum number, and the id of the run after which the page begins
 */
export async function readHistory(
  database: Database,
  name: string | undefined,
  { limit, before }: { readonly limit: number; readonly before?: string | undefined },
): Promise<readonly Run[]> {
  const { rows } = await database.query<Run>(
    `select ${columns} from rowgate_events.schedule_run
     where ($1::text is null or name = $1) and ($2::bigint is null or id < $2) order by id desc limit $3`,
    [name ?? null, before ?? null, limit],
  );
  return rows;
}

/** Reads the last run of each of these schedules, by the name of the schedule. */
export async function readLastRuns(
  database: Database,
  names: readonly string[],
): Promise<ReadonlyMap<string, Run>> {
  const { rows } = await database.query<Run>(
    `select ${columns} from pg_catalog.unnest($1::text[]) as known (known)
     cross join lateral (
       select * from rowgate_events.schedule_run where name = known.known order by id desc limit 1
     ) r`,
    [names],
  );
  return new Map(rows.map((run) => [run.name, run]));
}
