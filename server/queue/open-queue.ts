import type pg from 'pg';
import type { Db, PgBoss } from 'pg-boss';
import type pino from 'pino';
import { queueSchema, runningOn } from '../db/queue-schema.ts';
import { errorMessage, ProcessError } from '../errors.ts';
import { loggedReason } from '../log/log-error.ts';

const stopTimeoutMs = 20_000;

export interface QueueOptions {
  /**
   * The URL of the sidecar login. When `works` is true, the URL must bypass a pooler, because the process then listens
   * for notices.
   */
  readonly url: string;
  /** Whether this process also runs jobs and schedules, and recovers the jobs of dead processes. */
  readonly works: boolean;
  /** Seconds between two checks for jobs of dead workers; default 30. */
  readonly superviseSeconds?: number;
  readonly logger: pino.Logger;
}

/** A job queue in Postgres. */
export interface Queue {
  readonly boss: PgBoss;
  /** Waits at most 20 s for running jobs. Other processes take over the jobs that have not ended by then. */
  close(): Promise<void>;
}

/** Opens the queue. @throws ProcessError RG_NOT_PREPARED when its tables are missing or have another version */
export async function openQueue(options: QueueOptions): Promise<Queue> {
  const { url, works, superviseSeconds = 30, logger } = options;
  // Imported on demand, because most commands need no queue.
  const { PgBoss } = await import('pg-boss');
  const boss = new PgBoss({
    connectionString: url,
    schema: queueSchema,
    application_name: 'rowgate queue',
    // With this backend, pg-boss takes no advisory locks. Any database login could hold such a lock and thereby block
    // the maintenance of the queue. Concurrent maintenance runs are safe without locks: the second run waits for the
    // row locks of the first, and then has no work.
    backend: 'yugabytedb',
    max: works ? 6 : 2,
    migrate: false,
    createSchema: false,
    supervise: works,
    schedule: works,
    useListenNotify: works,
    // Off, because only the owner of the tables may rebuild their indexes.
    reindex: false,
    monitorVacuum: false,
    monitorIntervalSeconds: superviseSeconds,
    superviseIntervalSeconds: superviseSeconds,
    cronMonitorIntervalSeconds: 15,
    cronWorkerIntervalSeconds: 5,
  });
  boss.on('error', (error) =>
    logger.warn({ reason: loggedReason(error) }, 'the queue reports an error'),
  );
  boss.on('warning', (warning) =>
    logger.warn({ warning: warning.message }, 'the queue reports a warning'),
  );
  try {
    await boss.start();
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => {});
    throw notPrepared(error);
  }
  return { boss, close: () => boss.stop({ graceful: true, timeout: stopTimeoutMs }) };
}

/** Returns the pg-boss option that inserts jobs in the client's transaction. */
export function within(client: pg.ClientBase): { readonly db: Db } {
  return { db: runningOn(client) };
}

function notPrepared(error: unknown): unknown {
  if (!/not installed|requires migrations/.test(errorMessage(error))) return error;
  return new ProcessError(
    'RG_NOT_PREPARED',
    "the queue's tables are missing, or of another version",
    {
      hint: 'run `rowgate migrate` first',
      cause: error,
    },
  );
}
