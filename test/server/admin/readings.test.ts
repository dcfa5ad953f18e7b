import type pg from 'pg';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { OwnerReadings } from '../../../server/admin/owner-readings.ts';
import { removeMetadata } from '../../permissions/support/metadata-files.ts';
import { type AdminServer, startAdminServer } from './support/admin-server.ts';

let server: AdminServer;
let readings: OwnerReadings;
beforeAll(async () => {
  server = await startAdminServer({ ROWGATE_CONSOLE: 'on' });
  const { ownerUrl } = server.database;
  readings = new OwnerReadings({ ownerUrl: () => ownerUrl, logger: pino({ level: 'silent' }) });
});
afterAll(async () => {
  await readings.close();
  await server.stop();
  await removeMetadata();
});
afterEach(() => void vi.useRealTimers());

/** Moves the clock of the process, so that shared answers are no longer recent. */
function waitSeconds(seconds: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 });
}

describe('GET /admin/history', () => {
  test('answers the applies in pages, the newest first', async () => {
    await server.owner.query(
      `insert into rowgate.apply_history (program_version, words, plan)
       select '1', array['clerk would now see ' || n], '{}' from generate_series(1, 25) n`,
    );
    const first = await server.get('/admin/history');
    expect([first.status, first.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(first.json.applies).toHaveLength(20);
    expect(first.json.applies[0]).toMatchObject({ words: ['clerk would now see 25'], error: null });
    const second = await server.get(`/admin/history?before=${first.json.next}`);
    expect(second.json.applies[0].id).toBe(first.json.next - 1);
    expect(second.json).not.toHaveProperty('next');
    expect(second.json.applies.at(-1)).toMatchObject({ plan: expect.arrayContaining([]), id: 1 });
  });

  test('is not recorded as a use', async () => {
    const before = await server.uses();
    expect((await server.get('/admin/history?before=3')).status).toBe(200);
    expect(await server.uses()).toEqual(before);
  });

  test.each([['before=0'], ['before=1;drop'], ['before=1&before=2'], ['other=1']])(
    'refuses the query %s',
    async (query) => {
      const { status, json } = await server.get(`/admin/history?${query}`);
      expect([status, json.code]).toEqual([400, 'bad-request']);
    },
  );
});

describe('a reading', () => {
  const withoutSecret = { 'x-gql-admin-secret': undefined, 'x-rowgate-actor': undefined };

  test.each([
    ['without the secret', withoutSecret, 401],
    ['with a wrong secret', { 'x-gql-admin-secret': 'wrong' }, 401],
    ['as another role', { 'x-gql-role': 'clerk', 'x-gql-shop-id': '1' }, 403],
    ['without an actor', { 'x-rowgate-actor': undefined }, 400],
  ])('%s is refused', async (_case, headers, status) => {
    expect((await server.get('/admin/history', headers)).status).toBe(status);
  });

  test('accepts a session of the console from its own pages only', async () => {
    const cookie = await signIn();
    const statusFrom = async (site: string) =>
      (await server.get('/admin/history', { ...cookie, 'sec-fetch-site': site })).status;
    expect(await statusFrom('same-origin')).toBe(200);
    expect(await statusFrom('same-site')).toBe(403);
    expect(await statusFrom('none')).toBe(403);
  });

  test('refuses a session five seconds after its sign-out', async () => {
    const cookie = { ...(await signIn()), 'sec-fetch-site': 'same-origin' };
    expect((await server.get('/admin/history', cookie)).status).toBe(200);
    await server.post('/console/sign-out', {}, cookie);
    waitSeconds(5);
    expect((await server.get('/admin/history', cookie)).status).toBe(401);
  });

  test('is refused while the database cannot say whether the session was signed out', async () => {
    const cookie = { ...(await signIn()), 'sec-fetch-site': 'same-origin' };
    await server.owner.query('alter table rowgate.console_sign_out rename to elsewhere');
    const { status, json } = await server.get('/admin/history', cookie);
    await server.owner.query('alter table rowgate.elsewhere rename to console_sign_out');
    expect([status, json.detail]).toEqual([503, expect.stringContaining('rowgate migrate')]);
  });

  test('shares the answer to an identical question for a second', async () => {
    const newest = async () => (await server.get('/admin/history')).json.applies[0].words;
    waitSeconds(2);
    const words = await newest();
    await server.owner.query(
      "insert into rowgate.apply_history (program_version, words) values ('1', '{later}')",
    );
    expect(await newest()).toEqual(words);
    waitSeconds(2);
    expect(await newest()).toEqual(['later']);
  });

  async function signIn() {
    const { headers } = await server.post('/console/sign-in', {});
    return { ...withoutSecret, cookie: headers.get('set-cookie')?.split(';')[0] };
  }
});

describe('the connections of readings', () => {
  const pidOf = async (client: pg.ClientBase) =>
    (await client.query('select pg_catalog.pg_backend_pid() as pid')).rows[0].pid;

  test('are at most two, and serve later readings again', async () => {
    const pids = await Promise.all(Array.from({ length: 6 }, () => readings.run(pidOf)));
    expect(new Set(pids).size).toBe(2);
    expect(pids).toContain(await readings.run(pidOf));
  });

  test('cannot write', async () => {
    const writing = readings.run((client) => client.query('delete from rowgate.apply_history'));
    await expect(writing).rejects.toThrow('in a read-only transaction');
    await expect(readings.run(pidOf)).resolves.toEqual(expect.any(Number));
  });

  test('stop a statement after five seconds, and say what to do', async () => {
    const limit = readings.run(
      async (client) => (await client.query('show statement_timeout')).rows,
    );
    expect(await limit).toEqual([{ statement_timeout: '5s' }]);
    const slow = readings.run((client) =>
      client.query("set local statement_timeout = '10ms'; select pg_catalog.pg_sleep(60)"),
    );
    await expect(slow).rejects.toMatchObject({ problem: { status: 503, code: 'timeout' } });
  });

  test('refuse a reading while twenty others run or wait', async () => {
    const { promise: end, resolve } = Promise.withResolvers<void>();
    const others = Array.from({ length: 20 }, () => readings.run(() => end));
    await expect(readings.run(pidOf)).rejects.toThrow('other readings of admins run; try again');
    resolve();
    await Promise.all(others);
  });
});
