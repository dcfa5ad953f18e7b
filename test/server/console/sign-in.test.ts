import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { startTestServer, type TestServer } from '../../support/http.ts';
import { query } from '../../support/query.ts';
import { Browser } from '../platform/accounts/support/browser.ts';
import { type LocalIssuer, startLocalIssuer } from '../platform/accounts/support/local-issuer.ts';

const boss = 'local|cedar-admin';
const member = 'local|cedar-desk';

let database: TestDatabase;
let issuer: LocalIssuer;
let server: TestServer;
beforeAll(async () => {
  database = await createDatabase({ from: 'applied' });
  issuer = await startLocalIssuer();
  server = await start();
  await setAdmin(boss, true);
});
afterAll(async () => {
  await server.stop();
  await issuer.stop();
  await database.drop();
});

function start(environment: Readonly<Record<string, string>> = {}): Promise<TestServer> {
  const given = {
    ...issuer.environment,
    ROWGATE_CONSOLE: 'on',
    // Pages of this origin may use the session of the platform, but not to sign in to the console.
    ROWGATE_APP_ORIGINS: 'https://app.example.com',
    ...environment,
  };
  return startTestServer({ database, rest: true, environment: given });
}

const run = (sql: string) => query(database.superuserUrl, sql);
const setAdmin = (id: string, isAdmin: boolean) =>
  run(`update public."user" set platform_admin = ${isAdmin} where id = '${id}'`);

const ownPage = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };

/** Begins a session of the platform, and returns its cookie. */
async function platformCookie(person: string): Promise<string> {
  const browser = new Browser(server);
  await browser.exchange(await issuer.tokenFor(person));
  return browser.cookie;
}

type Headers = Readonly<Record<string, string>>;

const post = (path: string, headers: Headers, to: TestServer = server) =>
  fetch(`${to.url}${path}`, { method: 'POST', body: '{}', headers: { ...ownPage, ...headers } });

/** Signs in to the console with a session or token of the platform, and returns the cookie of the console. */
async function consoleCookie(headers: Headers): Promise<string> {
  const answer = await post('/console/sign-in', headers);
  expect(answer.status).toBe(200);
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

const signedIn = async (person = boss) => {
  const platform = await platformCookie(person);
  return { platform, cookie: await consoleCookie({ cookie: platform }) };
};

const matrix = async (cookie: string, to?: TestServer) =>
  (await post('/admin/matrix', { cookie }, to)).status;

const lastUse = async () =>
  (await run('select actor, person, endpoint from rowgate.admin_use order by id desc limit 1'))[0];

describe('an admin of the platform', () => {
  test('signs in with the session of the platform, and is recorded by e-mail address and id', async () => {
    const { cookie } = await signedIn();
    expect(await matrix(cookie)).toBe(200);
    expect(await lastUse()).toEqual({
      actor: `admin@cedar.example (${boss})`,
      person: boss,
      endpoint: '/admin/matrix',
    });
  });

  test('cannot choose the name that is recorded', async () => {
    const platform = await platformCookie(boss);
    const cookie = await consoleCookie({ cookie: platform, 'x-rowgate-actor': 'Somebody else' });
    await post('/admin/matrix', { cookie, 'x-rowgate-actor': 'Somebody else' });
    expect(await lastUse()).toMatchObject({ actor: expect.stringContaining(boss), person: boss });
  });

  test('signs in with a token, until it expires or is revoked', async () => {
    const now = Math.floor(Date.now() / 1000);
    const token = await issuer.tokenFor(boss, { exp: now + 120 });
    const authorization = { authorization: `Bearer ${token}` };
    const cookie = await consoleCookie(authorization);
    const session = await server.fetch('/console/session', { headers: { cookie } });
    expect(await session.json()).toMatchObject({ endsAt: (now + 120) * 1000 });
    expect(await matrix(cookie)).toBe(200);
    await server.fetch('/auth/session', { method: 'DELETE', headers: authorization });
    expect(await matrix(cookie)).toBe(401);
  });

  test('keeps the session of the platform after signing out of the console', async () => {
    const { platform, cookie } = await signedIn();
    expect((await post('/console/sign-out', { cookie })).status).toBe(200);
    expect(await matrix(cookie)).toBe(401);
    const session = await server.fetch('/auth/session', { headers: { cookie: platform } });
    expect(session.status).toBe(200);
  });

  test('sees the way to sign in on the page', async () => {
    const page = await (await server.fetch('/console')).text();
    expect(page).toContain('data-sign-in="admin of the platform"');
  });
});

describe('the session of the console of an admin of the platform ends at the next request', () => {
  const ends: readonly (readonly [string, (platform: string) => Promise<unknown>])[] = [
    [
      'after a logout of the platform',
      (cookie) => server.fetch('/auth/session', { method: 'DELETE', headers: { cookie } }),
    ],
    ['after an operator ended the session', () => run('delete from rowgate_auth.session')],
    [
      'after the session of the platform has expired',
      () => run('update rowgate_auth.session set expire = now()'),
    ],
    ['after the person lost the right', () => setAdmin(boss, false)],
    [
      'after the person was disabled',
      () => run(`update public."user" set status = 'disabled' where id = '${boss}'`),
    ],
  ];

  test.each(ends)('%s', async (_when, end) => {
    const { platform, cookie } = await signedIn();
    expect(await matrix(cookie)).toBe(200);
    await end(platform);
    expect(await matrix(cookie)).toBe(401);
    await setAdmin(boss, true);
    await run(`update public."user" set status = 'active' where id = '${boss}'`);
  });

  test('after the admin secret was replaced', async () => {
    const { cookie } = await signedIn();
    const other = await start({ ROWGATE_ADMIN_SECRET: 'b'.repeat(40) });
    const renamed = cookie.replace(/_\d+=/, `_${new URL(other.url).port}=`);
    expect(await matrix(renamed, other)).toBe(401);
    await other.stop();
  });

  test('at a server that does not sign in people of the platform', async () => {
    const { cookie } = await signedIn();
    const other = await startTestServer({ database, environment: { ROWGATE_CONSOLE: 'on' } });
    const renamed = cookie.replace(/_\d+=/, `_${new URL(other.url).port}=`);
    expect(await matrix(renamed, other)).toBe(401);
    await other.stop();
  });
});

describe('signing in to the console is refused', () => {
  const answerOf = async (headers: Headers) => {
    const answer = await post('/console/sign-in', headers);
    const { code } = (await answer.json()) as { readonly code: string };
    return [answer.status, code, answer.headers.getSetCookie()];
  };

  test('for a person who is no admin of the platform', async () => {
    const cookie = await platformCookie(member);
    const token = await issuer.tokenFor(member);
    const refused = [403, 'not-admin', []];
    expect(await answerOf({ cookie })).toEqual(refused);
    expect(await answerOf({ authorization: `Bearer ${token}` })).toEqual(refused);
  });

  test('without a session, and with a wrong token or an API key', async () => {
    expect(await answerOf({})).toEqual([401, 'unauthenticated', []]);
    expect(await answerOf({ authorization: 'Bearer x' })).toEqual([401, 'invalid-token', []]);
    expect(await answerOf({ 'x-api-key': 'x' })).toEqual([401, 'unauthenticated', []]);
  });

  test('with a wrong secret, although the session is that of an admin', async () => {
    const cookie = await platformCookie(boss);
    expect(await answerOf({ cookie, 'x-gql-admin-secret': 'wrong' })).toEqual([
      ...[401, 'unauthenticated', []],
    ]);
  });

  test.each<[string, Headers]>([
    ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['an application', { 'sec-fetch-site': 'same-site', origin: 'https://app.example.com' }],
  ])('from a page of %s', async (_page, headers) => {
    const cookie = await platformCookie(boss);
    expect(await answerOf({ cookie, ...headers })).toEqual([403, 'cross-site', []]);
  });

  test('with a session of the console, so that it cannot prolong itself', async () => {
    const { cookie } = await signedIn();
    expect(await answerOf({ cookie })).toEqual([401, 'unauthenticated', []]);
  });
});

describe('a cookie that an attacker has set before the sign-in', () => {
  test('is replaced, and does not get the rights of the admin', async () => {
    const { cookie: planted } = await signedIn();
    await post('/console/sign-out', { cookie: planted });
    const platform = await platformCookie(boss);
    const cookie = await consoleCookie({ cookie: `${platform}; ${planted}` });
    expect(cookie).not.toBe(planted);
    expect([await matrix(planted), await matrix(cookie)]).toEqual([401, 200]);
  });
});

test('the session of the platform alone opens no endpoint for admins', async () => {
  expect(await matrix(await platformCookie(boss))).toBe(401);
});

test('the cookie of the console contains no credential of the platform', async () => {
  const { platform, cookie } = await signedIn();
  const [payload = ''] = cookie.split('=')[1]?.split('.') ?? [];
  const content = Buffer.from(payload, 'base64url').toString();
  const id = decodeURIComponent(platform).split('=s:')[1]?.split('.')[0] ?? 'missing';
  expect(content).toContain('session ');
  expect(content).not.toContain(id);
});
