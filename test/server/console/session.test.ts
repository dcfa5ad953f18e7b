import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { removeMetadata } from '../../permissions/support/metadata-files.ts';
import { vacantPort } from '../../support/rowgate.ts';
import { type AdminServer, adminSecret, startAdminServer } from '../admin/support/admin-server.ts';

let server: AdminServer;
beforeAll(async () => {
  server = await startAdminServer({ ROWGATE_CONSOLE: 'on' });
});
afterAll(async () => {
  await server.stop();
  await removeMetadata();
});
afterEach(() => void vi.useRealTimers());

type Headers = Readonly<Record<string, string | undefined>>;

const hour = 3_600_000;
const withoutSecret = { 'x-gql-admin-secret': undefined, 'x-rowgate-actor': undefined };

/** Begins a session and returns the whole Set-Cookie header. */
async function signIn(): Promise<string> {
  const { status, headers } = await server.post('/console/sign-in', {});
  expect(status).toBe(200);
  return headers.get('set-cookie') ?? '';
}

/** Returns the headers of a browser with the cookie, on a page of the console. */
const withCookie = (setCookie: string): Headers => ({
  ...withoutSecret,
  cookie: setCookie.split(';')[0],
  'sec-fetch-site': 'same-origin',
});

const matrix = (headers: Headers) => server.post('/admin/matrix', {}, headers);

/** Posts to another server on the same database. */
async function statusAt(url: string, headers: Headers): Promise<number> {
  const given = Object.entries(headers).filter((pair): pair is [string, string] =>
    Boolean(pair[1]),
  );
  const options = { method: 'POST', body: '{}' };
  const answer = await fetch(`${url}/admin/matrix`, {
    ...options,
    headers: [['content-type', 'application/json'], ...given],
  });
  return answer.status;
}

describe('the session of the console', () => {
  test('is a cookie that scripts and other sites cannot use, for an hour', async () => {
    const attributes = (await signIn()).split('; ').slice(1);
    expect(attributes).toEqual([
      ...['Max-Age=3600', 'Path=/', expect.stringMatching(/^Expires=/)],
      ...['HttpOnly', 'SameSite=Strict'],
    ]);
  });

  test('has the prefix __Host- and needs TLS if the base URL uses https', async () => {
    const port = String(await vacantPort());
    const behindProxy = { PORT: port, ROWGATE_BASE_URL: 'https://rules.example.com' };
    await server.beside({ ROWGATE_CONSOLE: 'on', ...behindProxy });
    const secret = { 'x-gql-admin-secret': adminSecret, 'x-rowgate-actor': 'Ada' };
    const { headers } = await fetch(`http://127.0.0.1:${port}/console/sign-in`, {
      ...{ method: 'POST', body: '{}' },
      headers: { 'content-type': 'application/json', ...secret },
    });
    expect(headers.get('set-cookie')).toMatch(/^__Host-rowgate_console=.*; Path=\/;.*; Secure/);
  });

  test('opens the endpoints for admins, and its name is recorded as the actor', async () => {
    const cookie = withCookie(await signIn());
    const { status, json } = await matrix(cookie);
    expect([status, json.tables.length]).toEqual([200, 2]);
    expect((await server.uses()).slice(0, 2)).toMatchObject([
      { actor: 'Ada', endpoint: '/admin/matrix', status: 200 },
      { actor: 'Ada', endpoint: '/console/sign-in', status: 200 },
    ]);
  });

  test('does not contain the admin secret', async () => {
    const [payload = ''] = (await signIn()).split('=')[1]?.split('.') ?? [];
    expect(Buffer.from(payload, 'base64url').toString()).toMatch(/^\{"id":/);
    expect(Buffer.from(payload, 'base64url').toString()).not.toContain(adminSecret);
    expect(server.log.text).not.toContain(adminSecret);
    expect(server.log.text).not.toContain(payload);
  });

  test('ends after an hour', async () => {
    const cookie = withCookie(await signIn());
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hour - 1000 });
    expect((await matrix(cookie)).status).toBe(200);
    vi.setSystemTime(Date.now() + 2000);
    expect((await matrix(cookie)).status).toBe(401);
  });

  test('ends at all servers at the sign-out, although the cookie was copied', async () => {
    const cookie = withCookie(await signIn());
    const other = await server.beside({ ROWGATE_CONSOLE: 'on' });
    const otherCookie = cookie.cookie?.replace(/_\d+=/, `_${new URL(other).port}=`);
    const atOther = () => statusAt(other, { ...cookie, cookie: otherCookie });
    expect(await atOther()).toBe(200);
    const { status, headers } = await server.post('/console/sign-out', {}, cookie);
    expect([status, headers.get('set-cookie')]).toEqual([200, expect.stringMatching(/=; Path=\//)]);
    expect([(await matrix(cookie)).status, await atOther()]).toEqual([401, 401]);
  });

  test('ends when the admin secret is replaced', async () => {
    const cookie = withCookie(await signIn());
    const other = await server.beside({
      ...{ ROWGATE_CONSOLE: 'on', ROWGATE_ADMIN_SECRET: 'another-secret-of-32-characters!!' },
    });
    const renamed = cookie.cookie?.replace(/_\d+=/, `_${new URL(other).port}=`);
    expect(await statusAt(other, { ...cookie, cookie: renamed })).toBe(401);
  });

  test('begins with the admin secret only, so that a session cannot prolong itself', async () => {
    const cookie = withCookie(await signIn());
    const { status, headers } = await server.post('/console/sign-in', {}, cookie);
    expect([status, headers.get('set-cookie')]).toEqual([401, null]);
  });

  test.each<[string, (cookie: string) => string]>([
    [
      'another name in its content',
      (cookie) => changed(cookie, (text) => text.replace('Ada', 'Eve')),
    ],
    [
      'a later end',
      (cookie) => changed(cookie, (text) => text.replace(/\d+\}$/, '9999999999999}')),
    ],
    ['no signature', (cookie) => cookie.replace(/\..*$/, '')],
    ['no content', () => 'x.y'],
    ['a second cookie of its name', (cookie) => `${cookie}; ${cookie}`],
  ])('is refused with %s', async (_case, forge) => {
    const cookie = withCookie(await signIn());
    const name = cookie.cookie?.split('=')[0];
    const forged = forge(cookie.cookie ?? '');
    const sent = forged.startsWith(`${name}=`) ? forged : `${name}=${forged}`;
    expect((await matrix({ ...cookie, cookie: sent })).status).toBe(401);
  });

  test('is refused while the database cannot say whether it was signed out', async () => {
    const cookie = withCookie(await signIn());
    await server.owner.query('alter table rowgate.console_sign_out rename to elsewhere');
    const { status, json } = await matrix(cookie);
    await server.owner.query('alter table rowgate.elsewhere rename to console_sign_out');
    expect([status, json.detail]).toEqual([503, expect.stringContaining('rowgate migrate')]);
  });

  test('leaves no record after the time at which it would have ended', async () => {
    const rows = async () => (await server.owner.query('table rowgate.console_sign_out')).rows;
    await server.post('/console/sign-out', {}, withCookie(await signIn()));
    await server.owner.query(
      "update rowgate.console_sign_out set ends_at = now() - interval '1 s'",
    );
    await server.post('/console/sign-out', {}, withCookie(await signIn()));
    expect(await rows()).toHaveLength(1);
  });
});

describe('a request with the session', () => {
  test.each<[string, Headers]>([
    ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['another subdomain', { 'sec-fetch-site': 'same-site', origin: 'https://a.example.com' }],
    ['another site that hides its origin', { 'sec-fetch-site': 'cross-site', origin: undefined }],
    ['another site, without TLS', { 'sec-fetch-site': undefined, origin: 'http://evil.example' }],
    ['an unknown place', { 'sec-fetch-site': undefined, origin: 'null' }],
  ])('from a page of %s is refused', async (_page, headers) => {
    const cookie = { ...withCookie(await signIn()), ...headers };
    const paths = ['/admin/matrix', '/console/sign-out'];
    const answers = await Promise.all(paths.map((path) => server.post(path, {}, cookie)));
    expect(answers.map(({ status }) => status)).toEqual([403, 403]);
    expect(answers[0]?.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('from a page under another name of this server is accepted without TLS', async () => {
    const { host } = new URL(server.url);
    const headers = { 'sec-fetch-site': undefined, origin: `http://${host}` };
    expect((await matrix({ ...withCookie(await signIn()), ...headers })).status).toBe(200);
  });

  test('from a page of the console is accepted behind a proxy that changes the host', async () => {
    const headers = { origin: 'https://rules.example.com' };
    expect((await matrix({ ...withCookie(await signIn()), ...headers })).status).toBe(200);
  });

  test('opens no GraphQL', async () => {
    const cookie = withCookie(await signIn());
    const { json } = await server.post('/v1/graphql', { query: '{ item { id } }' }, cookie);
    expect(json.errors[0].extensions.code).toBe('access-denied');
  });
});

test('wrong secrets of one address at the sign-in are limited', async () => {
  const url = await server.beside({ ROWGATE_CONSOLE: 'on', ROWGATE_EXCHANGE_RATE: '2' });
  const attempt = async () => {
    const headers = { 'content-type': 'application/json', 'x-rowgate-actor': 'Eve' };
    const options = { method: 'POST', body: '{}' };
    const secret = { 'x-gql-admin-secret': 'wrong' };
    return fetch(`${url}/console/sign-in`, { ...options, headers: { ...headers, ...secret } });
  };
  const statuses = [];
  for (let count = 0; count < 3; count += 1) statuses.push((await attempt()).status);
  expect(statuses).toEqual([401, 401, 429]);
});

test('a server whose console is off has no page, no sign-in, and accepts no session', async () => {
  const cookie = withCookie(await signIn());
  const url = await server.beside({ ROWGATE_CONSOLE: 'off' });
  const page = await fetch(`${url}/console`);
  const signing = await fetch(`${url}/console/sign-in`, { method: 'POST' });
  expect([page.status, signing.status, await statusAt(url, cookie)]).toEqual([404, 404, 401]);
});

/** Changes the content of a cookie, and leaves its signature. */
function changed(cookie: string, change: (text: string) => string): string {
  const [name = '', token = ''] = cookie.split('=');
  const [payload = '', signature = ''] = token.split('.');
  const content = change(Buffer.from(payload, 'base64url').toString());
  return `${name}=${Buffer.from(content).toString('base64url')}.${signature}`;
}
