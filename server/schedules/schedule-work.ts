import type { Schedule } from '../../permissions/index.ts';
import { didYouMean } from '../../permissions/index.ts';
import type { WebhookServices } from '../delivery/resolve-webhook.ts';
import { ProcessError } from '../errors.ts';
import type { Job, JobContext, JobOutcome } from './job.ts';
import { callScheduledWebhook, scheduledCall } from './scheduled-webhook.ts';

/** What schedules can do. */
export interface Doers {
  /** By name. */
  readonly jobs: ReadonlyMap<string, Job>;
  readonly webhooks: WebhookServices;
}

/** What a schedule does when it is due. @throws ProcessError RG_CONFIG where it names no job that there is */
export function workOf(
  schedule: Schedule,
  { jobs, webhooks }: Doers,
): (context: JobContext) => Promise<JobOutcome> {
  const { run } = schedule;
  if (run.kind === 'webhook') {
    return ({ scheduledFor }) =>
      callScheduledWebhook(scheduledCall(schedule, run, scheduledFor), webhooks);
  }
  const job = jobs.get(run.job);
  if (!job) throw unknownJob(schedule, run.job, jobs);
  return (context) => job.run(context);
}

/** Makes sure that each schedule can do something. @throws ProcessError RG_CONFIG for the first that cannot */
export function refuseUnknownJobs(schedules: Iterable<Schedule>, doers: Doers): void {
  for (const schedule of schedules) workOf(schedule, doers);
}

function unknownJob(
  { name, position }: Schedule,
  job: string,
  jobs: ReadonlyMap<string, Job>,
): ProcessError {
  const known = `the jobs are ${[...jobs.keys()].join(', ')}`;
  const { file, line } = position;
  return new ProcessError(
    'RG_CONFIG',
    `${file}:${line}: the schedule "${name}" runs the job "${job}", which does not exist`,
    { hint: didYouMean(job, jobs.keys()) ?? known, exitCode: 2 },
  );
}
