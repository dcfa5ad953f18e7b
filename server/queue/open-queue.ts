import type pg from 'pg';
import type { Db, PgBoss } from 'pg-boss';
import type pino from 'pino';
import { queueSchema, runningOn } from '../db/queue-schema.ts';
import { errorMessage, ProcessError } from '../errors.ts';
import { loggedReason } from '../log/log-error.ts';

const stopTimeoutMs = 20_000;

export interface QueueOptions {
  /** Of the sidecar's login; past a pooler, where the process works: it listens. */
  readonly url: string;
  /** Whether this process also works on jobs, looks after those of processes that died, and runs schedules. */
  readonly works: boolean;
  /** Between two looks after jobs whose worker died; default 30. */
  readonly superviseSeconds?: number;
  readonly logger: pino.Logger;
}

/** Jobs to be done once, later or again, kept in Postgres. */
export interface Queue {
  readonly boss: PgBoss;
  /** Finishes the jobs that run, up to 20 s; what is left is taken up by another process. */
  close(): Promise<void>;
}

/** @throws ProcessError RG_NOT_PREPARED where the tables are missing or of another version */
export async function openQueue(options: QueueOptions): Promise<Queue> {
  const { url, works, superviseSeconds = 30, logger } = options;
  // Loaded late: most commands need no queue.
  const { PgBoss } = await import('pg-boss');
  const boss = new PgBoss({
    connectionString: url,
    schema: queueSchema,
    application_name: 'rowgate queue',
    // Of the options for other databases, this one differs for us in taking no advisory locks: any login that can
    // connect could hold those, and maintenance would wait for it. Row locks keep concurrent passes apart; a pass also
    // waits for rows that another one has locked, and then finds them done, instead of skipping them.
    backend: 'yugabytedb',
    max: works ? 6 : 2,
    migrate: false,
    createSchema: false,
    supervise: works,
    schedule: works,
    useListenNotify: works,
    // It would have to own the tables.
    reindex: false,
    monitorVacuum: false,
    monitorIntervalSeconds: superviseSeconds,
    superviseIntervalSeconds: superviseSeconds,
    cronMonitorIntervalSeconds: 15,
    cronWorkerIntervalSeconds: 5,
  });
  boss.on('error', (error) =>
    logger.warn({ reason: loggedReason(error) }, 'the queue has trouble'),
  );
  boss.on('warning', (warning) => logger.warn({ warning: warning.message }, 'the queue warns'));
  try {
    await boss.start();
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => {});
    throw notPrepared(error);
  }
  return { boss, close: () => boss.stop({ graceful: true, timeout: stopTimeoutMs }) };
}

/** For sending in a transaction of one's own: the job is there if that commits. */
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
