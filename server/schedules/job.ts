import type pg from 'pg';
import type pino from 'pino';
import type { Queue } from '../queue/open-queue.ts';

/** The context of one run of a job. */
export interface JobContext {
  /** The time at which the run was due; for a manual run, the current time. */
  readonly scheduledFor: Date;
  /** Aborts when the process stops or another process has taken over the run. The job must then stop. */
  readonly signal: AbortSignal;
  readonly logger: pino.Logger;
}

/** The result of a run. A job may also throw to report a failure. */
export interface JobOutcome {
  readonly ok: boolean;
  /** Stored in the history: numbers of the work done, or the problem. Must contain no secret. */
  readonly detail: Readonly<Record<string, unknown>>;
}

/** A job of the application that a schedule can run. It must be safe to run again. */
export interface Job {
  /** The name for `job:` in metadata/cron.yaml. */
  readonly name: string;
  run(context: JobContext): Promise<JobOutcome>;
}

/** The services that jobs use. */
export interface JobServices {
  /** Connections of the sidecar login or of the owner. */
  readonly pool: pg.Pool;
  readonly queue: Queue;
  readonly logger: pino.Logger;
}

/** The jobs that schedules may name. They can run until `close`. */
export interface OpenedJobs {
  readonly jobs: readonly Job[];
  close(): Promise<void>;
}
