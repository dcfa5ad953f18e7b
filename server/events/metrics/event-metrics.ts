import { Counter, Histogram, type Registry } from 'prom-client';

/** The metrics of delivery workers. */
export interface EventMetrics {
  readonly attempts: Counter<'trigger' | 'outcome'>;
  readonly duration: Histogram<'trigger'>;
}

/** Makes the metrics. Without a registry they are not published. */
export function makeEventMetrics(registry?: Registry): EventMetrics {
  const registers = registry ? [registry] : [];
  return {
    attempts: new Counter({
      name: 'rowgate_event_attempts_total',
      help: 'Tries of this process to deliver events: taken, failed (it is tried again) or dead (the last one failed)',
      labelNames: ['trigger', 'outcome'],
      registers,
    }),
    duration: new Histogram({
      name: 'rowgate_event_delivery_seconds',
      help: 'How long receivers took to answer this process',
      labelNames: ['trigger'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
      registers,
    }),
  };
}
