import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Schedule } from '../../../permissions/index.ts';
import { schedulesQueue } from '../../../server/schedules/sync-schedules.ts';
import {
  type JobsWorld,
  lastDue,
  makeJobsWorld,
  type RunRow,
  schedule,
  yearly,
} from '../platform/jobs/support/jobs-world.ts';

interface Call {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: {
    readonly id: string;
    readonly name: string;
    readonly scheduled_time: string;
    readonly created_at: string;
  };
}

let world: JobsWorld;
let server: Server;
let url: string;
const calls: Call[] = [];
let statuses: number[] = [];

beforeAll(async () => {
  world = await makeJobsWorld();
  server = createServer(async (request, response) => {
    const body = JSON.parse(await text(request));
    calls.push({ path: request.url ?? '', headers: request.headers, body });
    response.writeHead(statuses.shift() ?? 200).end('{"duplicate":false}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  await world?.end();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

beforeEach(() => {
  calls.length = 0;
  statuses = [];
});

function calling(name: string, webhook: string): Schedule {
  return schedule(name, {
    cron: yearly,
    run: { kind: 'webhook', webhook, payload: { stage: 'first', amount: 1.5 } },
  });
}

/**
 * Queues a run of the schedule as if it were due. Returns the recorded runs once there are this
 * many.
 */
async function due(one: Schedule, amount: number): Promise<readonly RunRow[]> {
  const worker = await world.work({ schedules: [one], baseUrl: url });
  const retries = { retryLimit: 3, retryDelay: 1 };
  await worker.queue.boss.send(schedulesQueue, { schedule: one.name }, retries);
  const runs = await vi.waitFor(
    async () => {
      const found = await world.sql<RunRow>(
        `select name, outcome, detail, scheduled_for, instance from rowgate_events.schedule_run
         where name = '${one.name}' and outcome <> 'running' order by id`,
      );
      expect(found).toHaveLength(amount);
      return found;
    },
    { timeout: 25_000, interval: 50 },
  );
  await worker.stop();
  return runs;
}

test("a schedule's webhook on this server gets a payload in Hasura's format and the platform token", async () => {
  const [run] = await due(calling('reminder', '/webhooks/on-reminder'), 1);
  expect(run).toMatchObject({
    outcome: 'ok',
    detail: { status: 200, answer: '{"duplicate":false}' },
  });
  expect(calls).toHaveLength(1);
  const [call] = calls;
  expect(call?.path).toBe('/webhooks/on-reminder');
  expect(call?.headers).toMatchObject({
    'content-type': 'application/json',
    'x-platform-api-token': 'p'.repeat(40),
  });
  expect(call?.body).toEqual({
    id: expect.stringMatching(
      /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    ),
    name: 'reminder',
    scheduled_time: lastDue.toISOString(),
    payload: { stage: 'first', amount: 1.5 },
    comment: null,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
  });
});

test("a schedule's webhook on another server gets no platform token", async () => {
  await due(calling('elsewhere', `${url}/hook`), 1);
  expect(calls.map(({ path }) => path)).toEqual(['/hook']);
  expect(calls[0]?.headers).not.toHaveProperty('x-platform-api-token');
});

test("a schedule's webhook that failed is called again with the same event id, so that the receiver can recognize it", async () => {
  statuses = [500, 302];
  const runs = await due(calling('failing', '/hook'), 3);
  expect(runs.map(({ outcome }) => outcome)).toEqual(['failed', 'failed', 'ok']);
  expect(runs[0]?.detail.error).toBe('the webhook answered 500');
  expect(new Set(calls.map(({ body }) => body.id)).size).toBe(1);
  expect(calls).toHaveLength(3);
});

test("a schedule's webhook with an environment variable that is not set fails the run, and the error names the variable", async () => {
  const worker = due(calling('unset', `${url}/{{HOOK_PATH}}`), 1);
  const [run] = await worker;
  expect(run).toMatchObject({
    outcome: 'failed',
    detail: { error: 'the environment variable HOOK_PATH is not set' },
  });
  expect(calls).toEqual([]);
});
