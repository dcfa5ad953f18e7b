import type pg from 'pg';
import type pino from 'pino';
import { errorMessage } from '../errors.ts';
import { loggedReason } from '../log/log-error.ts';
import type { JobContext, JobOutcome } from './job.ts';
import { beat, beginRun, finishRun } from './run-store.ts';

/** The database gives a run up that was silent for 20 seconds. */
const beatMs = 5000;

export interface RunOptions {
  readonly pool: pg.Pool;
  /** Of the schedule. */
  readonly name: string;
  /** Absent: somebody asked for it, and it runs whatever ran before. */
  readonly scheduledFor: Date | undefined;
  /** Which process this is, for the history. */
  readonly instance: string;
  /** Ends the run early. */
  readonly signal: AbortSignal;
  readonly logger: pino.Logger;
  readonly work: (context: JobContext) => Promise<JobOutcome>;
}

/** What became of a run; `busy` and `done` as in `Beginning`, `lost` where another process took it over. */
export type RunResult =
  | { readonly state: 'busy' | 'done' | 'lost' }
  | ({ readonly state: 'ended' } & JobOutcome);

/**
 * Runs work unless it runs elsewhere at this moment, or has run for this time; writes the history.
 * @throws what the database throws, but nothing of the work's: that is an outcome
 */
export async function runOnce(options: RunOptions): Promise<RunResult> {
  const { pool, name, logger } = options;
  const beginning = await beginRun(pool, options);
  if (beginning.state !== 'begun') return { state: beginning.state };
  const { runId } = beginning;
  const lost = new AbortController();
  const beating = keepBeating(
    pool,
    runId,
    () => lost.abort(new Error('the run was given up')),
    logger,
  );
  const outcome = await outcomeOf(options, AbortSignal.any([options.signal, lost.signal]));
  clearInterval(beating);
  const finished = await finishRun(pool, runId, outcome);
  if (!finished) {
    logger.error({ schedule: name, runId }, 'a run was silent for so long that it was given up');
    return { state: 'lost' };
  }
  const { ok, detail } = outcome;
  if (ok) logger.info({ schedule: name, detail }, 'a schedule has run');
  else logger.error({ schedule: name, detail }, 'a schedule has failed');
  return { state: 'ended', ...outcome };
}

function keepBeating(
  pool: pg.Pool,
  runId: string,
  give: () => void,
  logger: pino.Logger,
): NodeJS.Timeout {
  const once = async () => {
    try {
      if (!(await beat(pool, runId))) give();
    } catch (error) {
      logger.warn({ runId, reason: loggedReason(error) }, 'cannot say that a run goes on');
    }
  };
  return setInterval(() => void once(), beatMs).unref();
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
