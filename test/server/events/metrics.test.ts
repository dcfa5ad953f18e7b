import express from 'express';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unstartedQueue } from '../../../server/db/queue-schema.ts';
import { prepareEventQueues } from '../../../server/events/event-queues.ts';
import { makeMetricsEndpoint } from '../../../server/events/metrics/metrics-endpoint.ts';
import { makeRegistry, openMetrics } from '../../../server/events/metrics/open-metrics.ts';
import { pauseTrigger } from '../../../server/events/outbox/pause.ts';
import { makeApp } from '../../../server/http/app.ts';
import { listen, portOf } from '../../../server/http/connections/listen.ts';
import { mountEndpoints } from '../../../server/http/endpoint/mount.ts';
import { openPool } from '../../support/open-pool.ts';
import { type EventWorld, makeEventWorld } from './support/event-world.ts';

const logger = pino({ level: 'silent' });
const token = 'metrics-token-of-the-test';
let world: EventWorld;

beforeAll(async () => {
  world = await makeEventWorld();
});

afterAll(() => world.close());

/** Returns the answer of `GET /metrics`, with a metrics registry that no other test uses. */
async function ask(
  tokens: readonly string[],
  headers: Record<string, string>,
): Promise<{ status: number; text: string }> {
  const registry = makeRegistry();
  openMetrics({ registry, pool: world.pool, logger });
  const routes = express.Router();
  routes.use(mountEndpoints([makeMetricsEndpoint(registry, tokens)], 1024));
  const { config } = world;
  const app = makeApp({ config, logger, phase: () => 'serving', service: [], routes });
  const server = await listen(app, '127.0.0.1', 0);
  const response = await fetch(`http://127.0.0.1:${portOf(server)}/metrics`, { headers });
  const text = await response.text();
  server.closeAllConnections();
  server.close();
  return { status: response.status, text };
}

const bearer = (value: string) => ({ authorization: `Bearer ${value}` });

test('/metrics reports the number of pending and dead events, and the age of the oldest pending one', async () => {
  await world.fire('one', [{ data: {} }, { data: {} }, { data: {} }]);
  await world.owner.query(
    `update rowgate_events.event set dead_at = now() where place = (select min(place) from rowgate_events.event)`,
  );
  await world.owner.query(
    `update rowgate_events.event set created_at = created_at - interval '1 hour' where dead_at is null`,
  );
  const { status, text } = await ask([token], bearer(token));
  expect(status).toBe(200);
  expect(text).toMatch(/^rowgate_events_pending 2$/m);
  expect(text).toMatch(/^rowgate_events_dead 1$/m);
  expect(text).toMatch(/^rowgate_events_oldest_seconds 36\d\d(\.\d+)?$/m);
});

test('/metrics reports the jobs of each queue by state, without internal queues', async () => {
  await prepareEventQueues(await unstartedQueue(world.owner));
  await world.owner.query(
    `update rowgate_queue.queue set queued_count = 9, deferred_count = 2, active_count = 3, failed_count = 1
     where name = 'events'`,
  );
  const { text } = await ask([token], bearer(token));
  const counts = { waiting: 9, deferred: 2, active: 3, failed: 1 };
  for (const [state, count] of Object.entries(counts)) {
    expect(text).toContain(`rowgate_queue_jobs{queue="events",state="${state}"} ${count}\n`);
  }
  expect(text).not.toContain('__pgboss');
});

test('/metrics names the paused event triggers', async () => {
  await pauseTrigger(world.owner, 'one', undefined);
  const { text } = await ask([token], bearer(token));
  expect(text).toContain('rowgate_event_trigger_paused{trigger="one"} 1\n');
});

test('/metrics reports NaN, not 0, for the metrics of a database that does not answer', async () => {
  const gone = openPool({ connectionString: 'postgres://nobody@127.0.0.1:1/none' });
  const registry = makeRegistry();
  openMetrics({ registry, pool: gone, logger });
  const text = await registry.metrics();
  await gone.end();
  expect(text).toMatch(/^rowgate_events_pending Nan$/im);
});

test('/metrics reports the memory and CPU of the process', async () => {
  expect((await ask([token], bearer(token))).text).toMatch(/^process_cpu_seconds_total /m);
});

test('/metrics accepts the second of two configured tokens', async () => {
  expect((await ask(['a-newer-metrics-token', token], bearer(token))).status).toBe(200);
});

test.each([
  ['a request without a token', [token], {}],
  ['a request with a wrong token', [token], bearer('metrics-token-of-the-tesT')],
  ['a request with a token that begins with the right one', [token], bearer(`${token}x`)],
  ['a request with another authentication scheme', [token], { authorization: `Basic ${token}` }],
  ['a request without a token when none is configured', [], {}],
  ['a request with a token when none is configured', [], bearer('undefined')],
])('/metrics refuses %s', async (_title, tokens, headers) => {
  const { status, text } = await ask(tokens, headers);
  expect([status, text.includes('rowgate_events')]).toEqual([401, false]);
});
