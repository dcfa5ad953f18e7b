import type pino from 'pino';
import type { Schedule } from '../../../permissions/index.ts';
import { openWhole } from '../../closers.ts';
import { resolvePlatformSecrets } from '../../db/server-secrets.ts';
import { webhookServices } from '../../delivery/resolve-webhook.ts';
import { openQueue } from '../../queue/open-queue.ts';
import { instanceName, scheduleServices } from '../open-jobs.ts';
import { type RunResult, runOnce } from '../run-once.ts';
import { workOf } from '../schedule-work.ts';
import type { JobsContext } from './jobs-context.ts';
import { withJobs } from './with-jobs.ts';

/** Runs a schedule in this process. @throws ProcessError RG_CONFIG when it names a job that does not exist */
export function runHere(
  schedule: Schedule,
  context: JobsContext,
  logger: pino.Logger,
): Promise<RunResult> {
  const { config } = context;
  return withJobs(context, async (pool) => {
    const opened = await openWhole(async (closers) => {
      const queue = await openQueue({ url: await context.ownerUrl(), works: false, logger });
      closers.add(queue.close);
      const { jobs, close } = await context.openJobs({ pool, queue, logger });
      closers.add(close);
      return { jobs, close: () => closers.close() };
    });
    try {
      const webhooks = webhookServices(config, await secretFor(schedule, context));
      return await runOnce({
        pool,
        name: schedule.name,
        scheduledFor: undefined,
        instance: instanceName(),
        signal: new AbortController().signal,
        logger,
        work: workOf(schedule, scheduleServices({ jobs: opened.jobs, webhooks })),
      });
    } finally {
      await opened.close();
    }
  });
}

/** Returns the platform secret for a webhook that is a path. No other webhook may receive this secret. */
async function secretFor({ run }: Schedule, { config }: JobsContext): Promise<string> {
  if (run.kind === 'job' || !run.webhook.startsWith('/')) return '';
  const [first = ''] = await resolvePlatformSecrets(config);
  return first;
}
