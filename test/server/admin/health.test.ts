import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { applyMetadata } from '../../../permissions/index.ts';
import { removeMetadata, writeMetadata } from '../../permissions/support/metadata-files.ts';
import { type AdminServer, startAdminServer } from './support/admin-server.ts';

let server: AdminServer;
beforeAll(async () => {
  server = await startAdminServer();
});
afterAll(async () => {
  await server.stop();
  await removeMetadata();
});
afterEach(() => void vi.useRealTimers());

const clerk = { 'x-gql-role': 'clerk', 'x-gql-shop-id': '1' };

const send = (query: string, headers: Readonly<Record<string, string>> = clerk) =>
  server.post('/v1/graphql', { query }, headers);

let ahead = 0;

/** Reads the state. The clock moves first, because answers are shared for a second. */
async function health() {
  ahead += 2000;
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ahead });
  const { status, json } = await server.get('/admin/health');
  expect(status).toBe(200);
  return json;
}

describe('GET /admin/health', () => {
  test('counts operations by role, kind and name, and their errors by code', async () => {
    await send('query items { item { id } }');
    await send('query items { item { id } }');
    await send(
      'mutation sell { update_item_by_pk(pk_columns: {id: 10}, _set: {state: "x"}) { id } }',
    );
    await send('{ item { secret } }');
    await send('{ item { id } }', { 'x-gql-role': 'nobody' });
    const { operations, latencies } = await health();
    expect(operations).toEqual(
      expect.arrayContaining([
        {
          ...{ role: 'clerk', kind: 'query', operation: 'items', count: 2, errors: [] },
          meanSeconds: expect.any(Number),
        },
        expect.objectContaining({ role: 'clerk', kind: 'mutation', operation: 'sell' }),
        expect.objectContaining({
          ...{ role: '', errors: [{ code: expect.any(String), count: 1 }] },
        }),
        {
          ...{ role: 'clerk', kind: 'invalid', operation: '', count: 1 },
          ...{ errors: [{ code: 'validation-failed', count: 1 }], meanSeconds: expect.any(Number) },
        },
      ]),
    );
    const ofQueries = latencies.find(({ kind }: { kind: string }) => kind === 'query');
    expect(ofQueries).toMatchObject({ role: 'clerk', count: 2 });
    expect(ofQueries.p99).toBeGreaterThanOrEqual(ofQueries.p50);
  });

  test('shows the last quarter of an hour, the connections and the process', async () => {
    await send('{ item { id } }');
    const { recent, pools, live, startedAt, memoryBytes, problems } = await health();
    expect(recent).toHaveLength(180);
    const counted = recent.filter(({ count }: { count: number }) => count > 0);
    expect(counted.length).toBeGreaterThan(0);
    expect(counted[0]).toMatchObject({ p50: expect.any(Number), p99: expect.any(Number) });
    expect(pools).toEqual([
      { pool: 'operations', used: 0, idle: expect.any(Number), max: 10, waiting: 0 },
      { pool: 'subscriptions', used: 0, idle: 0, max: expect.any(Number), waiting: 0 },
    ]);
    expect(live).toMatchObject({ queries: 0, streams: 0, cohorts: 0, polls: [] });
    expect(startedAt).toBeLessThan(Date.now());
    expect([memoryBytes > 0, problems]).toEqual([true, []]);
  });

  test('keeps fifty names of operations for each role, however many clients choose', async () => {
    for (let number = 0; number < 60; number += 1) {
      await send(`query guess${number} { item { id } }`, { 'x-gql-role': 'guest' });
    }
    const { operations } = await health();
    const ofGuest = operations.filter(({ role }: { role: string }) => role === 'guest');
    expect(ofGuest).toHaveLength(51);
    expect(ofGuest[0]).toMatchObject({ operation: 'other', count: 10 });
  });
});

describe('POST /admin/drift', () => {
  test('answers the differences of the database, and is recorded', async () => {
    const { json: none } = await server.post('/admin/drift', {});
    expect(none).toEqual({ at: expect.any(Number), differences: [], omitted: 0, replaced: [] });
    await server.owner.query('alter table public.item disable row level security');
    const { status, json } = await server.post('/admin/drift', {});
    await server.owner.query('alter table public.item enable row level security');
    expect([status, json.differences]).toEqual([200, [expect.stringContaining('item')]]);
    expect((await server.uses())[0]).toMatchObject({ endpoint: '/admin/drift', status: 200 });
  });
});

describe('POST /admin/history/compare', () => {
  test('answers what changed for which role between two applies', async () => {
    const [{ id: before }] = (await server.get('/admin/history')).json.applies;
    const metadata = await writeMetadata({
      'roles.yaml': 'roles: { clerk: {}, guest: {}, watcher: {} }\n',
      'tables/item.yaml':
        'table: item\npermissions: { guest: { select: { filter: {}, columns: [id, price] } } }\n',
    });
    await applyMetadata(server.owner, { metadata, headerPrefix: 'X-Gql-' });
    const { json } = await server.post('/admin/history/compare', { old: before, new: before + 1 });
    expect(json.changes.map(({ sentence }: { sentence: string }) => sentence)).toEqual(
      expect.arrayContaining([expect.stringContaining('guest'), expect.stringContaining('clerk')]),
    );
    const { json: same } = await server.post('/admin/history/compare', {
      old: before,
      new: before,
    });
    expect(same).toEqual({ changes: [] });
  });

  test('says that an apply has no files', async () => {
    const { status, json } = await server.post('/admin/history/compare', { old: 1, new: 999 });
    expect([status, json.detail]).toEqual([
      400,
      expect.stringContaining('of an apply 999; choose'),
    ]);
  });
});
