import { setMaxListeners } from 'node:events';
import type pg from 'pg';
import type pino from 'pino';
import { type Closers, openWhole } from '../closers.ts';
import type { Config } from '../config/config.ts';
import { listenForNotices, type NoticeListener } from '../db/notices/notice-listener.ts';
import { webhookServices } from '../delivery/resolve-webhook.ts';
import type { Queue } from '../queue/open-queue.ts';
import { firedChannel, relayedChannel } from './channels.ts';
import type { EventModel } from './event-model.ts';
import { deadQueue, orderedQueue, plainQueue, prepareEventQueues } from './event-queues.ts';
import { type EventMetrics, makeEventMetrics } from './metrics/event-metrics.ts';
import { maintainPartitionsDaily } from './partitions.ts';
import { Relay } from './relay/relay.ts';
import { workDeadLetters } from './worker/dead-letters.ts';
import { DeliveryWorker } from './worker/delivery-worker.ts';
import type { Outcome } from './worker/outcome.ts';
import { makeTryDelivery, retryLimits } from './worker/try-delivery.ts';

/** Times that tests can shorten. */
export interface Tuning {
  /** The polling intervals of the relay, and of the workers for retries. */
  readonly relayPollMs: number;
  readonly workerPollMs: number;
  /**
   * Time for which an event waits when its trigger is missing in the last applied metadata. Metadata with the trigger
   * may be applied soon.
   */
  readonly graceMs: number;
  /** A worker counts as dead after this time without a heartbeat. */
  readonly heartbeatSeconds: number;
  readonly deadPollSeconds: number;
  /** Maximum time for which running deliveries continue while closing. */
  readonly stopMs: number;
}

const defaults: Tuning = {
  relayPollMs: 2000,
  workerPollMs: 1000,
  graceMs: 60_000,
  heartbeatSeconds: 45,
  deadPollSeconds: 5,
  stopMs: 15_000,
};

export interface EventsOptions {
  readonly config: Pick<Config, 'baseUrl' | 'events'>;
  /** A started queue, which also recovers the jobs of dead workers. */
  readonly queue: Queue;
  /** Connections of the sidecar login, with which the server accesses everything except the data API. */
  readonly pool: pg.Pool;
  /** The URL of the sidecar login for LISTEN, which must bypass a pooler. */
  readonly listenUrl: string;
  /** Returns the rules that this process has now. A reload of the metadata replaces them. */
  readonly model: () => EventModel;
  /** The value of x-platform-api-token for webhooks on this server. */
  readonly platformSecret: string;
  readonly logger: pino.Logger;
  /** Metrics to update. Absent: the metrics are not published. */
  readonly metrics?: EventMetrics;
  readonly tuning?: Partial<Tuning>;
}

/** The delivery workers of this process. */
export interface Events {
  /**
   * Waits for running deliveries for a limited time and returns the jobs of all others to the queue. Call it before
   * closing queue and pool, which the deliveries use.
   */
  close(): Promise<void>;
}

/** Starts to move events to the queue and to deliver them. */
export function openEvents(options: EventsOptions): Promise<Events> {
  return openWhole((closers) => open(options, closers));
}

async function open(options: EventsOptions, closers: Closers): Promise<Events> {
  const { config, queue, pool, logger } = options;
  const tuning = { ...defaults, ...options.tuning };
  await prepareEventQueues(queue.boss);
  await workDeadLetters({ pool, queue }, tuning.deadPollSeconds);
  closers.add(() => queue.boss.offWork(deadQueue));
  const upkeep = maintainPartitionsDaily({
    pool,
    logger,
    retentionDays: config.events.retentionDays,
  });
  closers.add(() => upkeep.close());
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  closers.add(async () => stop.abort());
  const workers = startDeliveryWorkers(options, tuning, stop.signal);
  closers.add(() => Promise.all(workers.map((worker) => worker.close())));
  const { relayPollMs: pollMs, graceMs, heartbeatSeconds } = tuning;
  const rules = options.model;
  const relay = new Relay({ pool, queue, rules, logger, pollMs, graceMs, heartbeatSeconds });
  closers.add(() => relay.close());
  const listener = wakeByNotices(options, relay, workers);
  closers.add(() => listener.close());
  return { close: () => closers.close() };
}

function startDeliveryWorkers(
  options: EventsOptions,
  tuning: Tuning,
  stop: AbortSignal,
): readonly DeliveryWorker[] {
  const { config, queue, pool, platformSecret, logger, metrics = makeEventMetrics() } = options;
  const rules = options.model;
  const webhooks = webhookServices(config, platformSecret);
  const common = {
    pool,
    queue,
    tryDelivery: makeTryDelivery({ pool, rules, webhooks, signal: stop }),
    limits: () => retryLimits(rules().events),
    onOutcome: (outcome: Outcome) => report(outcome, metrics, logger),
    logger,
    concurrency: config.events.concurrency,
    pollMs: tuning.workerPollMs,
    heartbeatSeconds: tuning.heartbeatSeconds,
    stopMs: tuning.stopMs,
  };
  return [
    new DeliveryWorker({ ...common, name: plainQueue }),
    new DeliveryWorker({ ...common, name: orderedQueue }),
  ];
}

function wakeByNotices(
  { listenUrl, logger }: EventsOptions,
  relay: Relay,
  workers: readonly DeliveryWorker[],
): NoticeListener {
  const wakeWorkers = () => {
    for (const worker of workers) worker.wake();
  };
  return listenForNotices({
    channels: [firedChannel, relayedChannel],
    subject: 'events',
    url: async () => listenUrl,
    onNotice: (channel) => (channel === firedChannel ? relay.wake() : wakeWorkers()),
    onListening: async () => {
      relay.wake();
      wakeWorkers();
    },
    logger,
  });
}

function report(outcome: Outcome, metrics: EventMetrics, logger: pino.Logger): void {
  const { job, attempt, kind } = outcome;
  if (attempt) {
    const result = kind === 'again' ? 'failed' : kind;
    metrics.attempts.inc({ trigger: job.trigger, outcome: result });
    metrics.duration.observe({ trigger: job.trigger }, attempt.answer.durationMs / 1000);
  }
  if (kind !== 'dead') return;
  const { reason } = outcome;
  logger.warn({ event: job.data.id, trigger: job.trigger, reason }, 'gave up delivering an event');
}
