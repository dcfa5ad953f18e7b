import type pg from 'pg';
import type pino from 'pino';
import type { Model } from '../../permissions/index.ts';
import { ActionWorker } from '../actions/action-worker.ts';
import type { RunningApplication } from '../application.ts';
import { type Closers, openWhole } from '../closers.ts';
import type { Config } from '../config/config.ts';
import { webhookServices } from '../delivery/resolve-webhook.ts';
import type { EventMetrics } from '../events/metrics/event-metrics.ts';
import { openEvents } from '../events/open-events.ts';
import type { Queue } from '../queue/open-queue.ts';
import { openJobs } from '../schedules/open-jobs.ts';
import type { ServiceLogin } from './prepare-database.ts';

export interface WorkerOptions {
  readonly config: Config;
  readonly login: ServiceLogin;
  /** Connections of the sidecar login, with which the server accesses everything except the data API. */
  readonly pool: pg.Pool;
  /** A queue opened with `works: true`. */
  readonly queue: Queue;
  readonly application: RunningApplication | undefined;
  /** The value of x-platform-api-token. */
  readonly platformSecret: string;
  readonly metrics: EventMetrics;
  /** Returns the rules that this process has now. A reload of the metadata replaces them. */
  readonly model: () => Model;
  readonly logger: pino.Logger;
}

/** The background work of this process. */
export interface Worker {
  /** Updates the schedules after a reload of the rules. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts event delivery, asynchronous actions, schedules, and the application's background work.
 * @throws ProcessError RG_CONFIG when a schedule names a job that does not exist
 */
export function openWorker(options: WorkerOptions): Promise<Worker> {
  return openWhole((closers) => open(options, closers));
}

async function open(options: WorkerOptions, closers: Closers): Promise<Worker> {
  const { config, login, application, platformSecret, model } = options;
  const { concurrency, retentionDays } = config.events;
  const webhooks = webhookServices(config, platformSecret);
  const events = await openEvents({ ...options, listenUrl: login.directUrl });
  closers.add(events.close);
  const actions = new ActionWorker({
    ...{ ...options, concurrency, retentionDays, webhooks },
    listenUrl: login.directUrl,
    rules: model,
  });
  closers.add(() => actions.close());
  const working = await application?.work();
  if (working) closers.add(working.close);
  const jobs = await openJobs({ ...options, webhooks, jobs: working?.jobs ?? [] });
  closers.add(jobs.close);
  return { refresh: jobs.refresh, close: () => closers.close() };
}
