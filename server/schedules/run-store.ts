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

/**
 * Reads the runs of one schedule or of all, the newest first. Before reading, marks runs whose process has died as
 * failed.
 */
export async function readHistory(
  pool: pg.Pool,
  { name, limit }: { readonly name: string | undefined; readonly limit: number },
): Promise<readonly Run[]> {
  await pool.query('select rowgate_events.mark_dead_runs()');
  const { rows } = await pool.query<Run>(
    `select ${columns} from rowgate_events.run_history($1, $2) order by id desc`,
    [name, limit],
  );
  return rows;
}

/**
 * Reads the last run of each schedule, by the name of the schedule. Before reading, marks runs whose process has died
 * as failed.
 */
export async function readLastRuns(pool: pg.Pool): Promise<ReadonlyMap<string, Run>> {
  await pool.query('select rowgate_events.mark_dead_runs()');
  const { rows } = await pool.query<Run>(`select ${columns} from rowgate_events.last_runs()`);
  return new Map(rows.map((run) => [run.name, run]));
}
