import type pg from 'pg';
import type pino from 'pino';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { unstartedQueue } from '../../db/queue-schema.ts';
import { loggedReason } from '../../log/log-error.ts';
import { type EventMetrics, makeEventMetrics } from './event-metrics.ts';
import { type OutboxState, readOutboxState } from './outbox-state.ts';
import { recent } from './recent.ts';

export interface MetricsOptions {
  /** Receives the metrics. */
  readonly registry: Registry;
  /** Connections of the sidecar login, with which the server accesses everything except the data API. */
  readonly pool: pg.Pool;
  readonly logger: pino.Logger;
}

/** Makes a registry with the metrics of the process: its memory, processor time and event loop. */
export function makeRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}

/**
 * Adds the metrics of events and queues. Metrics of the outbox are NaN while the database does not answer. Returns the
 * metrics of the delivery workers of this process.
 */
export function openMetrics({ registry, pool, logger }: MetricsOptions): EventMetrics {
  const state = recent(
    async () => readOutboxState(pool, await unstartedQueue(pool)),
    (error) => logger.warn({ reason: loggedReason(error) }, 'cannot read the state of the outbox'),
  );
  const gauge = (name: string, help: string, read: (state: OutboxState) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        this.reset();
        const current = await state();
        // NaN means unknown. While the database does not answer, 0 would look like an empty outbox.
        this.set(current ? read(current) : Number.NaN);
      },
    });
  gauge('rowgate_events_pending', 'Events that are to be delivered', ({ pending }) => pending);
  gauge(
    'rowgate_events_oldest_seconds',
    'Age of the oldest event that is to be delivered; 0 where there is none',
    ({ oldestSeconds }) => oldestSeconds,
  );
  gauge('rowgate_events_dead', 'Events that were given up and are kept', ({ dead }) => dead);
  new Gauge({
    name: 'rowgate_event_trigger_paused',
    help: '1 for each event trigger whose deliveries an operator has paused',
    labelNames: ['trigger'],
    registers: [registry],
    async collect() {
      this.reset();
      for (const trigger of (await state())?.paused ?? []) this.set({ trigger }, 1);
    },
  });
  new Gauge({
    name: 'rowgate_queue_jobs',
    help: 'Jobs of each queue by state, as counted every half minute: waiting (of which deferred are not due), active, failed',
    labelNames: ['queue', 'state'],
    registers: [registry],
    async collect() {
      this.reset();
      for (const { queue, ...counts } of (await state())?.queues ?? []) {
        for (const [name, count] of Object.entries(counts)) this.set({ queue, state: name }, count);
      }
    },
  });
  return makeEventMetrics(registry);
}
