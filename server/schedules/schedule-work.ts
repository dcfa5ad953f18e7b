import type { Schedule } from '../../permissions/index.ts';
import { didYouMean } from '../../permissions/index.ts';
import type { WebhookServices } from '../delivery/resolve-webhook.ts';
import { ProcessError } from '../errors.ts';
import type { Job, JobContext, JobOutcome } from './job.ts';
import { callScheduledWebhook, scheduledCall } from './scheduled-webhook.ts';

/** The jobs and webhook settings that schedules use. */
export interface ScheduleServices {
  /** Jobs by name. */
  readonly jobs: ReadonlyMap<string, Job>;
  readonly webhooks: WebhookServices;
}

/** Returns the work of a schedule. @throws ProcessError RG_CONFIG when it names a job that does not exist */
export function workOf(
  schedule: Schedule,
  { jobs, webhooks }: ScheduleServices,
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

/** @throws ProcessError RG_CONFIG for the first schedule that names a job that does not exist */
export function refuseUnknownJobs(schedules: Iterable<Schedule>, services: ScheduleServices): void {
  for (const schedule of schedules) workOf(schedule, services);
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
