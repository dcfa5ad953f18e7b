import type { ServerContext } from '../../cli/command-context.ts';
import type { JobServices, OpenedJobs } from '../job.ts';

/** The context of a command that runs jobs of the application. */
export interface JobsContext extends ServerContext {
  /** Opens the application's jobs. Without an application, the result has no jobs. */
  openJobs(services: JobServices): Promise<OpenedJobs>;
}
