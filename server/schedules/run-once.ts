import type pg from 'pg';
import type pino from 'pino';
import { errorMessage } from '../errors.ts';
import { loggedReason } from '../log/log-error.ts';
import type { JobContext, JobOutcome } from './job.ts';
import { beginRun, finishRun, sendHeartbeat } from './run-store.ts';

/** The interval of heartbeats. The database marks a run without a heartbeat for 20 seconds as failed. */
const heartbeatMs = 5000;

export interface RunOptions {
  readonly pool: pg.Pool;
  /** The name of the schedule. */
  readonly name: string;
  /** The due time. Absent for a manual run, which earlier runs do not prevent. */
  readonly scheduledFor: Date | undefined;
  /** The name of this process in the history. */
  readonly instance: string;
  /** Aborts the run. */
  readonly signal: AbortSignal;
  readonly logger: pino.Logger;
  readonly work: (context: JobContext) => Promise<JobOutcome>;
}

/** The result of `runOnce`: `busy` and `done` as in `Beginning`; `lost` when another process has taken over the run. */
export type RunResult =
  | { readonly state: 'busy' | 'done' | 'lost' }
  | ({ readonly state: 'ended' } & JobOutcome);

/**
 * Runs work, unless another process is running it or it has already run for this due time. Writes the history. A
 * failure of the work becomes an outcome; a failure of the database is thrown.
 */
export async function runOnce(options: RunOptions): Promise<RunResult> {
  const { pool, name, logger } = options;
  const beginning = await beginRun(pool, options);
  if (beginning.state !== 'begun') return { state: beginning.state };
  const { runId } = beginning;
  const lost = new AbortController();
  const heartbeat = startHeartbeat(
    pool,
    runId,
    () => lost.abort(new Error('the run was given up')),
    logger,
  );
  const outcome = await outcomeOf(options, AbortSignal.any([options.signal, lost.signal]));
  clearInterval(heartbeat);
  const finished = await finishRun(pool, runId, outcome);
  if (!finished) {
    logger.error(
      { schedule: name, runId },
      'a run was given up, because it sent no heartbeat for too long',
    );
    return { state: 'lost' };
  }
  const { ok, detail } = outcome;
  if (ok) logger.info({ schedule: name, detail }, 'a schedule has run');
  else logger.error({ schedule: name, detail }, 'a schedule has failed');
  return { state: 'ended', ...outcome };
}

/** Sends heartbeats and calls `onLost` when the database has marked the run as failed. */
function startHeartbeat(
  pool: pg.Pool,
  runId: string,
  onLost: () => void,
  logger: pino.Logger,
): NodeJS.Timeout {
  const once = async () => {
    try {
      if (!(await sendHeartbeat(pool, runId))) onLost();
    } catch (error) {
      logger.warn({ runId, reason: loggedReason(error) }, 'cannot send the heartbeat of a run');
    }
  };
  return setInterval(() => void once(), heartbeatMs).unref();
}

async function outcomeOf(options: RunOptions, signal: AbortSignal): Promise<JobOutcome> {
  const { work, scheduledFor = new Date(), logger, name } = options;
  try {
    return await work({ scheduledFor, signal, logger });
  } catch (error) {
    logger.debug({ err: error, schedule: name }, 'a schedule threw');
    return { ok: false, detail: { error: errorMessage(error) } };
  }
}
