import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

export type SubscriptionMetrics = ReturnType<typeof makeSubscriptionMetrics>;

/** Makes the metrics of subscriptions, and registers them if a registry is given. */
export function makeSubscriptionMetrics(registry: Registry | undefined) {
  const registers = registry ? [registry] : [];
  const metrics = {
    open: new Gauge({
      name: 'rowgate_subscriptions',
      help: 'Subscriptions that are open: live queries and streams',
      labelNames: ['kind'],
      registers,
    }),
    cohorts: new Gauge({
      name: 'rowgate_subscription_cohorts',
      help: 'Groups of live queries that share their fetches',
      registers,
    }),
    refetches: new Counter({
      name: 'rowgate_subscription_refetches_total',
      help: 'Fetches of live queries: with another answer, with the same answer, or failed',
      labelNames: ['outcome'],
      registers,
    }),
    polls: new Counter({
      name: 'rowgate_subscription_polls_total',
      help: 'Fetches of live queries every few seconds, by the tables that are not live',
      labelNames: ['table'],
      registers,
    }),
    changes: new Counter({
      name: 'rowgate_subscription_changes_total',
      help: 'Statements that have changed live tables: matched by a live query, or skipped',
      labelNames: ['outcome'],
      registers,
    }),
    messages: new Counter({
      name: 'rowgate_subscription_messages_total',
      help: 'Answers of live queries and batches of streams for clients',
      labelNames: ['kind'],
      registers,
    }),
    latency: new Histogram({
      name: 'rowgate_subscription_latency_seconds',
      help: 'Time from reading a change to sending the answers of a live query',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
      registers,
    }),
  };
  for (const kind of ['query', 'stream']) {
    metrics.open.set({ kind }, 0);
    metrics.messages.inc({ kind }, 0);
  }
  for (const outcome of ['changed', 'unchanged', 'failed']) metrics.refetches.inc({ outcome }, 0);
  for (const outcome of ['matched', 'skipped']) metrics.changes.inc({ outcome }, 0);
  return metrics;
}
