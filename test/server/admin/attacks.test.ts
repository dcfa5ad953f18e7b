import { once } from 'node:events';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { removeMetadata } from '../../permissions/support/metadata-files.ts';
import { until } from '../../support/until.ts';
import { type AdminServer, startAdminServer } from './support/admin-server.ts';

let server: AdminServer;
beforeAll(async () => {
  server = await startAdminServer({
    ROWGATE_STATEMENT_TIMEOUT_MS: '2000',
    ROWGATE_MAX_BODY_BYTES: '20000',
  });
});
afterAll(async () => {
  await server.stop();
  await removeMetadata();
});

const rule = { role: 'clerk', table: 'item', operation: 'select' };
const update = {
  ...{ role: 'clerk', table: 'item', operation: 'update', key: { id: '10' } },
  ...{ values: { state: 'sold' }, sessionVariables: { 'X-Gql-Shop-Id': '1' } },
};
const paths = [
  '/admin/explain/rule',
  '/admin/explain/access',
  '/admin/explain/query',
  '/admin/matrix',
];

describe('without the admin secret and the role admin', () => {
  test.each(paths)('%s is refused, and not recorded', async (path) => {
    const secret = { 'x-gql-admin-secret': undefined };
    const user = { ...secret, cookie: 'rowgate.sid=s%3Ax.y', authorization: 'Bearer x.y.z' };
    const before = await server.uses();
    const answers = [
      await server.post(path, rule, secret),
      await server.post(path, rule, user),
      await server.post(path, rule, { 'x-gql-admin-secret': 'wrong' }),
      await server.post(path, rule, { 'x-gql-role': 'clerk', 'x-gql-shop-id': '1' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 403]);
    expect(answers.map(({ json }) => json.code)).toEqual([
      ...['unauthenticated', 'unauthenticated', 'unauthenticated', 'admin-only'],
    ]);
    expect(await server.uses()).toEqual(before);
  });

  test('too many wrong secrets of one address are refused, but never the right one', async () => {
    const limited = await startAdminServer({ ROWGATE_EXCHANGE_RATE: '2' });
    const wrong = () => limited.post('/admin/matrix', {}, { 'x-gql-admin-secret': 'wrong' });
    const statuses = [(await wrong()).status, (await wrong()).status, (await wrong()).status];
    const right = await limited.post('/admin/matrix', {});
    await limited.stop();
    expect([...statuses, right.status]).toEqual([401, 401, 429, 200]);
  });

  test.each([
    ['no actor', undefined, 'is missing'],
    ['an empty actor', ' ', 'is missing'],
    ['an actor of 201 characters', 'a'.repeat(201), 'at most 200 printable characters'],
    ['an actor with a tab', 'a\tb', 'at most 200 printable characters'],
    ['an actor that is no UTF-8', '\xff', 'is not UTF-8'],
  ])('%s is refused', async (_name, actor, reason) => {
    const { status, json } = await server.post('/admin/matrix', {}, { 'x-rowgate-actor': actor });
    expect([status, json.code]).toEqual([400, 'bad-request']);
    expect(json.detail).toContain(reason);
  });
});

describe('a hostile body', () => {
  test.each([
    ['/admin/explain/rule', { ...rule, role: '__proto__' }, 'role "__proto__" is not in roles'],
    ['/admin/explain/rule', { ...rule, role: 'constructor' }, 'is not in roles.yaml'],
    ['/admin/explain/rule', { ...rule, table: 'x"; drop table item' }, 'the metadata has no table'],
    ['/admin/explain/rule', { ...rule, operation: 'drop' }, 'body.operation must be one of select'],
    ['/admin/explain/rule', { ...rule, role: 'clerk\0' }, 'body.role'],
    ['/admin/explain/rule', { ...rule, role: 'a'.repeat(201) }, 'at most 200 characters'],
    ['/admin/explain/rule', { ...rule, more: 1 }, 'body.more is not known here'],
    ['/admin/explain/rule', [rule], 'body must be an object'],
    ['/admin/explain/rule', '{', 'the body is not valid JSON'],
    ['/admin/explain/access', { ...update, key: { id: 10 } }, 'body.key.id must be a string'],
    ['/admin/explain/access', { ...update, key: { 'i\nd': 1 } }, 'must be a string'],
    ['/admin/explain/access', { ...update, key: { 'id"': '1' } }, 'has no column'],
    ['/admin/explain/access', { ...update, key: {} }, 'must be named by its primary key'],
    ['/admin/explain/access', { ...update, key: { id: "1' or true --" } }, 'cannot evaluate'],
    ['/admin/explain/access', { ...update, values: { 'state" = null --': '' } }, 'has no column'],
    [
      '/admin/explain/access',
      { ...update, sessionVariables: { role: 'x' } },
      'no session variable',
    ],
    [
      '/admin/explain/query',
      { role: 'clerk', query: 'mutation { delete_item(where: {}) { affected_rows } }' },
      'only queries can be explained',
    ],
    ['/admin/explain/query', { role: 'clerk', query: '{ item { secret } }' }, "field 'secret'"],
    ['/admin/explain/query', { role: 'clerk', query: '{ item' }, 'not a valid graphql query'],
    ['/admin/explain/query', { role: 'clerk', query: '{ a }', variables: [] }, 'an object'],
    ['/admin/matrix', { tables: ['itm'] }, 'did you mean "item"?'],
    ['/admin/matrix', { roles: ['clrk'] }, 'did you mean "clerk"?'],
  ])('to %s is refused with the reason: %j', async (path, body, reason) => {
    const { status, json } = await server.post(path, body);
    expect([status, json.code]).toEqual([400, 'bad-request']);
    expect(json.detail.toLowerCase()).toContain(reason.toLowerCase());
  });

  test('that is too large is refused', async () => {
    const { status } = await server.post('/admin/explain/query', {
      ...{ role: 'clerk', query: `{ item { id } } #${'x'.repeat(30_000)}` },
    });
    expect(status).toBe(413);
  });

  test('is refused for other methods than POST', async () => {
    expect((await fetch(`${server.url}/admin/matrix`)).status).toBe(405);
  });
});

/** Returns the number of sessions that wait for a lock. */
async function waitingForLocks(observer: pg.Client): Promise<number> {
  const { rows } = await observer.query(
    `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
  );
  return rows.length;
}

describe('a use', () => {
  test('undoes the write that it tries, with all that triggers do', async () => {
    const listener = await server.database.connectOwner();
    const notices: string[] = [];
    listener.on('notification', ({ payload = '' }) => notices.push(payload));
    await listener.query('listen reactions');
    const state = async () => {
      // Tests of other databases create roles of the same owner meanwhile.
      const text = `select
        (select pg_catalog.jsonb_agg(i order by id) from public.item i) as items,
        (select count(*) from hidden.trace) as traces,
        (select count(*) from pg_locks where locktype = 'advisory' and objid = 4711) as locks,
        (select pg_catalog.jsonb_agg(m order by m.oid) from pg_auth_members m join pg_roles r on r.oid = m.roleid
          where starts_with(r.rolname, $1)) as members,
        (select pg_catalog.jsonb_agg(attacl::text order by attnum) from pg_attribute where attrelid = 'public.item'::regclass) as rights`;
      return (await server.owner.query(text, [`rowgate_${server.database.name}_`])).rows;
    };
    const before = await state();
    expect(before[0].members).not.toBe(null);
    const { json } = await server.post('/admin/explain/access', update);
    expect(json.allowed).toBe(true);
    const insert = { ...update, operation: 'insert', key: {}, values: { price: '3' } };
    expect((await server.post('/admin/explain/access', insert)).json.allowed).toBe(true);
    const removal = { ...update, operation: 'delete', values: {} };
    expect((await server.post('/admin/explain/access', removal)).json.allowed).toBe(true);
    expect(await state()).toEqual(before);
    const next = once(listener, 'notification');
    await server.owner.query("notify reactions, 'end'");
    await next;
    await listener.end();
    expect(notices).toEqual(['end']);
  });

  test('evaluates no condition that writes', async () => {
    const { status, json } = await server.post('/admin/explain/access', {
      ...{ role: 'watcher', table: 'item', operation: 'select', key: { id: '10' } },
    });
    expect(status).toBe(400);
    expect(json.detail).toBe(
      'Postgres cannot evaluate the conditions: cannot execute nextval() in a read-only transaction',
    );
  });

  test('runs no function that writes', async () => {
    const { status, json } = await server.post('/admin/explain/query', {
      ...{ role: 'admin', query: '{ cheap_items { id } }', analyze: true },
    });
    expect([status, json.code]).toEqual([400, 'bad-request']);
    expect(json.detail).toBe(
      'Postgres cannot run the query: cannot execute nextval() in a read-only transaction; explain it without running it',
    );
  });

  test('ends at the time limit of a statement', async () => {
    const slow = { ...update, values: { state: 'slow' } };
    const { status, json, headers } = await server.post('/admin/explain/access', slow);
    expect([status, json.code, headers.get('retry-after')]).toEqual([503, 'timeout', '1']);
    const [use] = await server.uses();
    expect(use).toMatchObject({ status: 503 });
  });

  test('waits only briefly for a lock, while the server answers other requests', async () => {
    await server.owner.query('begin; select from public.item where id = 10 for update');
    const waiting = server.post('/admin/explain/access', update);
    const rows = await fetch(`${server.url}/healthz`);
    const { status, json } = await waiting;
    await server.owner.query('rollback');
    expect([rows.status, status, json.code]).toEqual([200, 503, 'locked']);
  });

  test('waits for others, of which only five are accepted', async () => {
    await server.owner.query('begin; select from public.item where id = 10 for update');
    const uses = Array.from({ length: 8 }, () => server.post('/admin/explain/access', update));
    const refused = uses.map(async (use) => {
      const { json } = await use;
      return json.code === 'busy' ? json.code : Promise.reject(new Error(json.code));
    });
    await Promise.any(refused);
    await server.owner.query('rollback');
    await Promise.allSettled(refused);
    const answers = await Promise.all(uses);
    expect(answers.filter(({ json }) => json.code === 'busy').length).toBe(3);
    expect(answers.filter(({ json }) => json.allowed === true).length).toBe(5);
  });

  test('ends after 30 seconds', async () => {
    const limit = new AbortController();
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    const made = vi
      .spyOn(AbortSignal, 'timeout')
      .mockImplementation((ms) => (ms === 30_000 ? limit.signal : timeout(ms)));
    const observer = await server.database.connectOwner();
    await server.owner.query('begin; select from public.item where id = 10 for update');
    const waiting = server.post('/admin/explain/access', update);
    await until(async () => (await waitingForLocks(observer)) > 0);
    limit.abort(new DOMException('the time is over', 'TimeoutError'));
    const { status, json } = await waiting;
    await until(async () => (await waitingForLocks(observer)) === 0);
    made.mockRestore();
    await observer.end();
    await server.owner.query('rollback');
    expect([status, json.code]).toEqual([503, 'timeout']);
    expect(json.detail).toContain('longer than 30 seconds');
  });

  test('ends when its client disconnects, and stays recorded', async () => {
    const observer = await server.database.connectOwner();
    await server.owner.query('begin; select from public.item where id = 10 for update');
    const client = new AbortController();
    const left = fetch(`${server.url}/admin/explain/access`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-gql-admin-secret': 'a-secret-of-at-least-32-characters!!',
        'x-rowgate-actor': 'leaver',
      },
      body: JSON.stringify(update),
      signal: client.signal,
    });
    await until(async () => (await waitingForLocks(observer)) > 0);
    client.abort();
    await expect(left).rejects.toThrow('aborted');
    await until(async () => (await waitingForLocks(observer)) === 0);
    await observer.end();
    await server.owner.query('rollback');
    const found = await server.uses();
    expect(found.find(({ actor }) => actor === 'leaver')).toMatchObject({ status: null });
    const line = await server.log.lineWith('"actor":"leaver"');
    expect(line).toMatchObject({ level: 'info', status: 503 });
    expect(server.log.text).not.toContain('a use of an endpoint for admins failed');
  });

  test('logs no value of a row', async () => {
    await server.owner.query(`create function hidden.fail() returns trigger language plpgsql as $$ begin
      raise exception 'the secret is %', old.secret; end $$;
      create trigger fail before delete on public.item for each row execute function hidden.fail()`);
    const removal = { ...update, operation: 'delete', values: {} };
    const { json } = await server.post('/admin/explain/access', removal);
    await server.owner.query('drop trigger fail on public.item');
    expect(json.reasons).toContain('Postgres: the secret is hush');
    expect(server.log.text).not.toContain('hush');
    expect(JSON.stringify(await server.uses())).not.toContain('hush');
  });

  test('that cannot be recorded is refused', async () => {
    await server.owner.query('alter table rowgate.admin_use rename to moved');
    const { status, json } = await server.post('/admin/matrix', {});
    await server.owner.query('alter table rowgate.moved rename to admin_use');
    expect([status, json.code, json.entries]).toEqual([503, 'not-recorded', undefined]);
  });
});

test('a server without the login that applies rules says so', async () => {
  const alone = await startAdminServer({ DATABASE_URL: '' });
  const { status, json } = await alone.post('/admin/matrix', {});
  await alone.stop();
  expect([status, json.code]).toEqual([501, 'owner-missing']);
  expect(json.detail).toContain('set DATABASE_URL');
});
