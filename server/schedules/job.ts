import type pg from 'pg';
import type pino from 'pino';
import type { Queue } from '../queue/open-queue.ts';

/** What a run can ask about itself. */
export interface JobContext {
  /** The time of the schedule that it is for; where somebody asked for the run, the present. */
  readonly scheduledFor: Date;
  /** Aborts where the process is to stop, or has lost the run to another one: nothing more may be done then. */
  readonly signal: AbortSignal;
  readonly logger: pino.Logger;
}

/** How a run ended. What is thrown instead is a failure, too. */
export interface JobOutcome {
  readonly ok: boolean;
  /** For the history: what was done, in numbers, or what went wrong. Holds no secret. */
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Something that schedules run; doing it again does no harm. */
export interface Job {
  /** As `job:` of metadata/cron.yaml names it. */
  readonly name: string;
  run(context: JobContext): Promise<JobOutcome>;
}

/** The services that jobs work with. */
export interface JobServices {
  /** Of the service login, or of the owner. */
  readonly pool: pg.Pool;
  readonly queue: Queue;
  readonly logger: pino.Logger;
}

/** The jobs that schedules may name, as long as they are open. */
export interface OpenedJobs {
  readonly jobs: readonly Job[];
  close(): Promise<void>;
}
