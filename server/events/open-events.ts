import { setMaxListeners } from 'node:events';
import type pg from 'pg';
import type pino from 'pino';
import { type Closers, openWhole } from '../closers.ts';
import type { Config } from '../config/config.ts';
import { listenForNotices, type NoticeListener } from '../db/notices/notice-listener.ts';
import { webhookServices } from '../delivery/resolve-webhook.ts';
import type { Queue } from '../queue/open-queue.ts';
import { firedChannel, relayedChannel } from './channels.ts';
import { deadQueue, orderedQueue, plainQueue, prepareEventQueues } from './event-queues.ts';
import { type EventMetrics, makeEventMetrics } from './metrics/event-metrics.ts';
import { Relay } from './relay/relay.ts';
import type { Rules } from './rules.ts';
import { keepDaysDaily } from './upkeep.ts';
import { Courier } from './worker/courier.ts';
import { workDeadLetters } from './worker/dead-letters.ts';
import type { Outcome } from './worker/outcome.ts';
import { makeTryDelivery, retryLimits } from './worker/try-delivery.ts';

/** Times that tests shorten. */
export interface Tuning {
  /** Between two looks without a notice: of the relay, and of workers for what is to be tried again. */
  readonly relayPollMs: number;
  readonly workerPollMs: number;
  /** How long an event waits for the metadata that was applied last to have its trigger. */
  readonly graceMs: number;
  /** A worker is taken for dead after so long without a sign of life. */
  readonly heartbeatSeconds: number;
  readonly deadPollSeconds: number;
  /** How long deliveries under way may go on when it closes. */
  readonly stopMs: number;
}

const usual: Tuning = {
  relayPollMs: 2000,
  workerPollMs: 1000,
  graceMs: 60_000,
  heartbeatSeconds: 45,
  deadPollSeconds: 5,
  stopMs: 15_000,
};

export interface EventsOptions {
  readonly config: Pick<Config, 'baseUrl' | 'events'>;
  /** One that works: it looks after the jobs of workers that died. */
  readonly queue: Queue;
  /** Of the sidecar's login, as is the URL. */
  readonly pool: pg.Pool;
  /** For LISTEN, past a pooler. */
  readonly listenUrl: string;
  /** The rules at this moment. */
  readonly model: () => Rules;
  /** What x-platform-api-token says to webhooks that are paths of this platform. */
  readonly platformSecret: string;
  readonly logger: pino.Logger;
  /** Default: those of nobody. */
  readonly metrics?: EventMetrics;
  readonly tuning?: Partial<Tuning>;
}

/** The delivery of events by this process. */
export interface Events {
  /** Before the queue and the pool: finishes deliveries that run, for a while, and gives the rest to other workers. */
  close(): Promise<void>;
}

/** Begins to hand events to the queue and to deliver them. */
export function openEvents(options: EventsOptions): Promise<Events> {
  return openWhole((closers) => open(options, closers));
}

async function open(options: EventsOptions, closers: Closers): Promise<Events> {
  const { config, queue, pool, logger } = options;
  const tuning = { ...usual, ...options.tuning };
  await prepareEventQueues(queue.boss);
  await workDeadLetters({ pool, queue }, tuning.deadPollSeconds);
  closers.add(() => queue.boss.offWork(deadQueue));
  const upkeep = keepDaysDaily({ pool, logger, retentionDays: config.events.retentionDays });
  closers.add(() => upkeep.close());
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  closers.add(async () => stop.abort());
  const couriers = startCouriers(options, tuning, stop.signal);
  closers.add(() => Promise.all(couriers.map((courier) => courier.close())));
  const { relayPollMs: pollMs, graceMs, heartbeatSeconds } = tuning;
  const rules = options.model;
  const relay = new Relay({ pool, queue, rules, logger, pollMs, graceMs, heartbeatSeconds });
  closers.add(() => relay.close());
  const listener = wakeByNotices(options, relay, couriers);
  closers.add(() => listener.close());
  return { close: () => closers.close() };
}

function startCouriers(
  options: EventsOptions,
  tuning: Tuning,
  stop: AbortSignal,
): readonly Courier[] {
  const { config, queue, pool, platformSecret, logger, metrics = makeEventMetrics() } = options;
  const rules = options.model;
  const webhooks = webhookServices(config, platformSecret);
  const common = {
    pool,
    queue,
    tryDelivery: makeTryDelivery({ pool, rules, webhooks, stop }),
    limits: () => retryLimits(rules().events),
    onOutcome: (outcome: Outcome) => tell(outcome, metrics, logger),
    logger,
    concurrency: config.events.concurrency,
    pollMs: tuning.workerPollMs,
    heartbeatSeconds: tuning.heartbeatSeconds,
    stopMs: tuning.stopMs,
  };
  return [
    new Courier({ ...common, name: plainQueue }),
    new Courier({ ...common, name: orderedQueue }),
  ];
}

function wakeByNotices(
  { listenUrl, logger }: EventsOptions,
  relay: Relay,
  couriers: readonly Courier[],
): NoticeListener {
  const wakeCouriers = () => {
    for (const courier of couriers) courier.wake();
  };
  return listenForNotices({
    channels: [firedChannel, relayedChannel],
    subject: 'events',
    url: async () => listenUrl,
    onNotice: (channel) => (channel === firedChannel ? relay.wake() : wakeCouriers()),
    onListening: async () => {
      relay.wake();
      wakeCouriers();
    },
    logger,
  });
}

function tell(outcome: Outcome, metrics: EventMetrics, logger: pino.Logger): void {
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
