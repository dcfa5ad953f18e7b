import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { prepareQueueSchema } from '../../../server/db/queue-schema.ts';
import { removeMetadata } from '../../permissions/support/metadata-files.ts';
import { type AdminServer, startAdminServer } from './support/admin-server.ts';

const project = {
  schema: `create table public.thing (id int primary key, secret text);`,
  rules: {
    'roles.yaml': 'roles: { clerk: {} }\n',
    'tables/thing.yaml': `table: thing
events:
  thing_written: { operations: [insert, update], webhook: 'https://{{RECEIVER}}/written' }
  thing_deleted: { operations: [delete], webhook: 'https://{{RECEIVER}}/deleted' }
`,
    'cron.yaml': `nightly: { schedule: '0 0 1 1 *', webhook: 'https://{{RECEIVER}}/nightly' }\n`,
  },
};

let server: AdminServer;
beforeAll(async () => {
  server = await startAdminServer({ ROWGATE_CONSOLE: 'on' }, project);
  await prepareQueueSchema(server.owner);
});
afterAll(async () => {
  await server.stop();
  await removeMetadata();
});

/** The ids of the stored events, the oldest first. */
let ids: readonly string[];
beforeEach(async () => {
  const { owner } = server;
  await owner.query(`truncate rowgate_events.event, rowgate_events.attempt,
    rowgate_events.paused_trigger, rowgate_events.schedule_run, rowgate_queue.job, public.thing`);
  await owner.query(`insert into public.thing select n, 'hush ' || n from generate_series(1, 4) n`);
  const { rows } = await owner.query('select id from rowgate_events.event order by place');
  ids = rows.map(({ id }) => id);
  // The first is delivered, the second and third are dead, the fourth waits.
  await owner.query(`
    update rowgate_events.event set relayed_at = now(), tries = 1 where id <> '${ids[3]}';
    update rowgate_events.event set delivered_at = now() where id = '${ids[0]}';
    update rowgate_events.event set dead_at = now(), dead_reason = 'one try failed'
      where id in ('${ids[1]}', '${ids[2]}');
    insert into rowgate_events.attempt select id, created_at, 1, now(),
      case when id = '${ids[1]}' then 503 when id = '${ids[0]}' then 200 end, 12, 'sorry', null
      from rowgate_events.event where tries = 1`);
});

const states = async () => {
  const { rows } = await server.owner.query(
    `select delivered_at is not null as delivered, dead_at is not null as dead
     from rowgate_events.event order by place`,
  );
  return rows.map(({ delivered, dead }) => (delivered ? 'delivered' : dead ? 'dead' : 'waits'));
};

describe('readings of events', () => {
  test('list the events without values of rows, the newest first, with the status of the last answer', async () => {
    const { status, json } = await server.get('/admin/events?trigger=thing_written');
    expect(status).toBe(200);
    expect(json.events.map((one: { id: string }) => one.id)).toEqual(ids.toReversed());
    expect(json.events[2]).toMatchObject({ state: 'dead', status: 503, reason: 'one try failed' });
    expect(json).not.toHaveProperty('next');
    expect(JSON.stringify(json)).not.toContain('hush');
  });

  test('list events in pages that neither repeat nor leave out an event', async () => {
    await server.owner.query(
      `insert into public.thing select n, '' from generate_series(5, 70) n; insert into public.thing values (71)`,
    );
    const first = await server.get('/admin/events');
    expect(first.json.events).toHaveLength(50);
    const second = await server.get(`/admin/events?before=${first.json.next}`);
    const all = [...first.json.events, ...second.json.events].map(({ id }) => id);
    expect([all.length, new Set(all).size, second.json.next]).toEqual([71, 71, undefined]);
  });

  test.each([
    ['state=dead', 2],
    ['state=dead&status=503', 1],
    ['state=dead&status=none', 1],
    ['status=200', 1],
    ['trigger=thing_deleted', 0],
    ['until=2020-01-01T00:00Z', 0],
    ['since=2020-01-01T00:00Z&state=pending', 1],
  ])('count the events with %s', async (query, count) => {
    const { json } = await server.get(`/admin/events/count?${query}`);
    expect(json).toEqual({ count, isAll: true });
  });

  test('count unfinished and dead events by trigger, and name paused triggers', async () => {
    await server.post('/admin/events/pause', { trigger: 'thing_deleted' });
    const { json } = await server.get('/admin/events/triggers');
    expect(json.triggers).toMatchObject([
      { name: 'thing_deleted', table: 'public.thing', pausedBy: 'Ada', oldestSeconds: null },
      { name: 'thing_written', pending: 1, failed: 0, dead: 2, pausedAt: null },
    ]);
    expect(json.triggers[1].oldestSeconds).toBeGreaterThan(0);
  });

  test('show how many events were recorded and ended, and how long the oldest waited, by time', async () => {
    const ago = (minutes: number) => `created_at = now() - interval '${minutes} minutes'`;
    await server.owner.query(`
      update rowgate_events.event set ${ago(30)}, delivered_at = now() - interval '20 minutes' where id = '${ids[0]}';
      update rowgate_events.event set ${ago(5)}, dead_at = now() - interval '5 minutes' where id = '${ids[1]}'`);
    const { json } = await server.get('/admin/events/rates?hours=1');
    const total = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0);
    expect([json.stepSeconds, json.recorded.length]).toEqual([60, 60]);
    expect([json.recorded, json.delivered, json.dead].map(total)).toEqual([4, 1, 2]);
    expect(json.recorded[29]).toBe(1);
    expect(json.delivered[39]).toBe(1);
    // The event of minute 29 waited until minute 39.
    const minutes = json.oldestSeconds.map((seconds: number) => Math.ceil(seconds / 60));
    expect(minutes.slice(28, 40)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0]);
  });

  test('count the age of an event from before the time range', async () => {
    await server.owner.query(
      `update rowgate_events.event set created_at = now() - interval '2 hours' where id = '${ids[3]}'`,
    );
    const { json } = await server.get('/admin/events/rates?hours=1&trigger=thing_written');
    expect(json.oldestSeconds[59]).toBeGreaterThan(7190);
    const other = await server.get('/admin/events/rates?hours=1&trigger=thing_deleted');
    expect(Math.max(...other.json.oldestSeconds)).toBe(0);
  });

  test.each(['state=lost', 'status=abc', 'since=yesterday', 'since=2020-01-01', 'before=1'])(
    'refuse %s',
    async (query) => {
      expect((await server.get(`/admin/events?${query}`)).status).toBe(400);
    },
  );

  test('refuse a time that does not exist', async () => {
    const { status, json } = await server.get('/admin/events?since=2020-13-41T00:00Z');
    expect([status, json.detail]).toEqual([400, expect.stringContaining('2020-13-41')]);
  });
});

describe('uses of events', () => {
  test('show the data and the tries of an event, and are recorded with its id', async () => {
    const { json } = await server.post('/admin/events/show', { id: ids[1] });
    expect(json).toMatchObject({
      data: expect.stringContaining('hush 2'),
      attempts: [{ number: 1, status: 503, excerpt: 'sorry' }],
    });
    expect((await server.uses())[0]).toMatchObject({
      ...{ endpoint: '/admin/events/show', subject: ids[1], actor: 'Ada', status: 200 },
    });
  });

  test('deliver one event again, unless it is being delivered', async () => {
    expect((await server.post('/admin/events/redeliver', { id: ids[1] })).status).toBe(200);
    expect(await states()).toEqual(['delivered', 'waits', 'dead', 'waits']);
    const { status, json } = await server.post('/admin/events/redeliver', { id: ids[1] });
    expect([status, json.code]).toEqual([409, 'changed']);
  });

  test('deliver the events of a filter again', async () => {
    const body = { state: 'dead', status: 'none', since: '2020-01-01T00:00:00.000Z', count: 1 };
    const { json } = await server.post('/admin/events/redeliver-many', body);
    expect(json).toEqual({ count: 1 });
    expect(await states()).toEqual(['delivered', 'dead', 'waits', 'waits']);
    expect((await server.uses())[0]).toMatchObject({
      subject: 'all triggers dead 2020-01-01T00:00:00.000Z none',
    });
  });

  test('deliver no event if there are more than were counted', async () => {
    const body = { state: 'dead', count: 1 };
    const { status, json } = await server.post('/admin/events/redeliver-many', body);
    expect([status, json.detail]).toEqual([
      ...[409, 'there are 2 such events by now, not 1; look again'],
    ]);
    expect(await states()).toEqual(['delivered', 'dead', 'dead', 'waits']);
  });

  test('pause and resume a trigger, and refuse one that the metadata does not have', async () => {
    const trigger = 'thing_written';
    expect((await server.post('/admin/events/pause', { trigger })).status).toBe(200);
    expect((await server.post('/admin/events/pause', { trigger })).status).toBe(409);
    expect((await server.post('/admin/events/resume', { trigger })).status).toBe(200);
    expect((await server.post('/admin/events/resume', { trigger })).status).toBe(409);
    const unknown = await server.post('/admin/events/pause', { trigger: 'thing_lost' });
    expect([unknown.status, unknown.json.code]).toEqual([404, 'not-found']);
  });
});

describe('schedules', () => {
  test('are listed with their next time and without the result of their last run', async () => {
    await server.owner.query(
      `insert into rowgate_events.schedule_run (name, finished_at, outcome, detail, instance)
       values ('nightly', now(), 'failed', '{"error": "hush"}', 'here')`,
    );
    const { json } = await server.get('/admin/schedules');
    expect(json.schedules).toMatchObject([
      { name: 'nightly', cron: '0 0 1 1 *', does: 'https://{{RECEIVER}}/nightly' },
    ]);
    expect(json.schedules[0].last).toMatchObject({ outcome: 'failed', scheduledFor: null });
    expect(JSON.stringify(json)).not.toContain('hush');
    const history = await server.post('/admin/schedules/history', { name: 'nightly' });
    expect(history.json.runs).toMatchObject([{ detail: { error: 'hush' }, instance: 'here' }]);
  });

  test('run once, although two admins ask at the same time at two servers', async () => {
    const other = await server.beside({ ROWGATE_CONSOLE: 'on' });
    const ask = (url: string) =>
      fetch(`${url}/admin/schedules/run`, {
        method: 'POST',
        headers: {
          ...{ 'content-type': 'application/json', 'x-rowgate-actor': 'Bob' },
          'x-gql-admin-secret': 'a-secret-of-at-least-32-characters!!',
        },
        body: JSON.stringify({ name: 'nightly' }),
      });
    const answers = await Promise.all([ask(server.url), ask(other)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const { rows } = await server.owner.query(
      `select data from rowgate_queue.job where name = 'schedules-requested'`,
    );
    expect(rows).toEqual([{ data: { schedule: 'nightly' } }]);
  });

  test('that the metadata does not have are refused', async () => {
    const { status, json } = await server.post('/admin/schedules/run', { name: 'daily' });
    expect([status, json.detail]).toEqual([404, 'the metadata has no schedule "daily"']);
  });
});

test('a database without mails says so', async () => {
  const counts = await server.get('/admin/mails/counts');
  expect(counts.json).toEqual({ hasMails: false, waiting: 0, failed: 0 });
  const { status, json } = await server.post('/admin/mails', {});
  expect([status, json.detail]).toEqual([404, expect.stringContaining('no outbox of mails')]);
});

test('a server without ROWGATE_CONSOLE_WRITES shows events, changes nothing, and records the refusal', async () => {
  const url = await server.beside({ ROWGATE_CONSOLE: 'on', ROWGATE_CONSOLE_WRITES: 'false' });
  const ask = async (path: string, body: unknown) => {
    const headers = {
      ...{ 'content-type': 'application/json', 'x-rowgate-actor': 'Eve' },
      'x-gql-admin-secret': 'a-secret-of-at-least-32-characters!!',
    };
    const answer = await fetch(`${url}${path}`, {
      ...{ method: 'POST', headers, body: JSON.stringify(body) },
    });
    const { code } = (await answer.json()) as { readonly code?: string };
    return [answer.status, code];
  };
  expect(await ask('/admin/events/show', { id: ids[1] })).toEqual([200, undefined]);
  const id = ids[1] ?? '';
  for (const [path, body] of [
    ['/admin/events/redeliver', { id }],
    ['/admin/events/redeliver-many', { state: 'dead', count: 9 }],
    ['/admin/events/pause', { trigger: 'thing_written' }],
    ['/admin/events/resume', { trigger: 'thing_written' }],
    ['/admin/schedules/run', { name: 'nightly' }],
    ['/admin/mails/retry', { id }],
  ] as const) {
    expect([path, ...(await ask(path, body))]).toEqual([path, 403, 'read-only']);
    expect((await server.uses())[0]).toMatchObject({ actor: 'Eve', endpoint: path, status: 403 });
  }
  expect(await states()).toEqual(['delivered', 'dead', 'dead', 'waits']);
});
