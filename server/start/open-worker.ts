import type pg from 'pg';
import type pino from 'pino';
import type { Model } from '../../permissions/index.ts';
import { ActionWorker } from '../actions/action-worker.ts';
import { type Closers, openWhole } from '../closers.ts';
import type { Config } from '../config/config.ts';
import { webhookServices } from '../delivery/resolve-webhook.ts';
import type { EventMetrics } from '../events/metrics/event-metrics.ts';
import { openEvents } from '../events/open-events.ts';
import { workMail } from '../mail/work-mail.ts';
import { openPlatformJobs } from '../platform/jobs/open-platform-jobs.ts';
import type { Webhooks } from '../platform/webhooks/open-webhooks.ts';
import type { Queue } from '../queue/open-queue.ts';
import { openJobs } from '../schedules/open-jobs.ts';
import type { Sidecar } from './prepare-database.ts';

export interface WorkerOptions {
  readonly config: Config;
  readonly sidecar: Sidecar;
  /** Of the sidecar's login. */
  readonly pool: pg.Pool;
  /** One that works. */
  readonly queue: Queue;
  /** Absent beside tables of somebody else, whose events alone are delivered. */
  readonly webhooks: Webhooks | undefined;
  /** What x-platform-api-token says. */
  readonly platformSecret: string;
  readonly metrics: EventMetrics;
  /** The rules at this moment. */
  readonly model: () => Model;
  readonly logger: pino.Logger;
}

/** What goes on without anybody asking. */
export interface Worker {
  /** Takes up the schedules of rules that were loaded anew. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Begins to deliver events and to call the handlers of asynchronous actions; on the platform also to process callbacks, to send mail and to run schedules.
 * @throws ProcessError RG_CONFIG where a schedule names a job that does not exist
 */
export function openWorker(options: WorkerOptions): Promise<Worker> {
  return openWhole((closers) => open(options, closers));
}

async function open(options: WorkerOptions, closers: Closers): Promise<Worker> {
  const { config, sidecar, webhooks, platformSecret, model } = options;
  const { concurrency, retentionDays } = config.events;
  const events = await openEvents({ ...options, listenUrl: sidecar.directUrl });
  closers.add(events.close);
  const actions = new ActionWorker({
    ...{ ...options, concurrency, retentionDays },
    listenUrl: sidecar.directUrl,
    rules: model,
    webhooks: webhookServices(config, platformSecret),
  });
  closers.add(() => actions.close());
  if (!webhooks) return { refresh: async () => {}, close: () => closers.close() };
  const callbacks = await webhooks.work();
  closers.add(callbacks.close);
  await workMail(options);
  const platform = await openPlatformJobs(options);
  closers.add(platform.close);
  const jobs = await openJobs({
    ...options,
    jobs: platform.jobs,
    webhooks: webhookServices(config, platformSecret),
  });
  closers.add(jobs.close);
  return { refresh: jobs.refresh, close: () => closers.close() };
}
