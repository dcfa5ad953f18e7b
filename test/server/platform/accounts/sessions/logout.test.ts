import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loggedOut } from '../../../../../server/platform/accounts/sessions/session-schemas.ts';
import { startTestServer, type TestServer } from '../../../../support/http.ts';
import { Browser } from '../support/browser.ts';
import type { LocalIssuer } from '../support/local-issuer.ts';
import { makeWorld, type World } from '../support/world.ts';

const appOrigin = 'https://app.example.com';
const providerLogout = 'https://identity.example/v2/logout?federated=1';

let world: World;
let issuer: LocalIssuer;
let server: TestServer;
beforeAll(async () => {
  const environment = {
    ROWGATE_APP_ORIGINS: appOrigin,
    ROWGATE_IDP_LOGOUT_URL: providerLogout,
    ROWGATE_IDP_CLIENT_ID: 'client-1',
  };
  world = await makeWorld(environment, { graphql: false });
  ({ issuer, server } = world);
});
afterAll(() => world.end());

async function signIn(): Promise<Browser> {
  const browser = new Browser(server);
  await browser.exchange(await issuer.tokenFor('local|alder-investor'));
  return browser;
}

async function isSignedIn({ cookie }: Browser): Promise<boolean> {
  const response = await new Browser(server, cookie).fetch('/auth/session');
  return response.status === 200;
}

describe('a request to log out', () => {
  test('is final: a sign-in that is answered at the same time does not store the ended session again', async () => {
    await world.sql(
      `create function public.note_change() returns trigger language plpgsql security definer as
         $$ begin insert into public.change values (true); return null; end $$;
       create table public.change (happened boolean);
       create trigger change after update on rowgate_auth.session for each row execute function public.note_change()`,
    );
    const response = await (await signIn()).fetch('/auth/token-exchange', {
      method: 'POST',
      headers: { Authorization: `Bearer ${await issuer.tokenFor('local|alder-investor')}` },
    });
    await response.arrayBuffer();
    expect([response.status, await world.sql('select * from public.change')]).toEqual([200, []]);
  });

  test('from a browser ends the session and redirects to the provider, which redirects back', async () => {
    const browser = await signIn();
    const before = new Browser(server, browser.cookie);
    const to = encodeURIComponent(`${appOrigin}/bye`);
    const response = await browser.fetch(`/auth/logout?returnTo=${to}`);
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toBe(
      `${providerLogout}&client_id=client-1&returnTo=${to}`,
    );
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.getSetCookie()[0]).toMatch(
      /^rowgate\.sid=; .*Expires=Thu, 01 Jan 1970/,
    );
    expect(await isSignedIn(before)).toBe(false);
  });

  test('from an API client returns the URL at which the session with the provider ends', async () => {
    const browser = await signIn();
    const before = new Browser(server, browser.cookie);
    const response = await browser.fetch('/auth/logout?x-client-type=api');
    const answer = await response.json();
    expect([response.status, Value.Check(loggedOut, answer)]).toEqual([200, true]);
    expect(answer).toEqual({
      message: 'logged out; the session at the identity provider ends at logoutUrl',
      success: true,
      logoutUrl: `${providerLogout}&client_id=client-1`,
    });
    expect(await isSignedIn(before)).toBe(false);
  });

  test('with a Bearer token and a cookie revokes the token and ends the session', async () => {
    const browser = await signIn();
    const before = new Browser(server, browser.cookie);
    const headers = { Authorization: `Bearer ${await issuer.tokenFor('local|birch-member')}` };
    const response = await browser.fetch('/auth/logout?x-client-type=api', { headers });
    const token = await server.fetch('/auth/session', { headers });
    expect([response.status, token.status, await isSignedIn(before)]).toEqual([200, 401, false]);
  });

  test.each([
    ['nothing', {}],
    ['an invalid cookie', { Cookie: 'rowgate.sid=s%3Ax.y' }],
    ['an invalid token', { Authorization: 'Bearer x.y.z' }],
  ])('succeeds without a session: with %s', async (_name, headers) => {
    const response = await server.fetch('/auth/logout?x-client-type=api', { headers });
    expect(response.status).toBe(200);
  });

  test('redirects to a path of this server given as returnTo', async () => {
    const response = await server.fetch('/auth/logout?returnTo=/bye&x-client-type=api');
    const { logoutUrl } = (await response.json()) as { logoutUrl: string };
    expect(new URL(logoutUrl).searchParams.get('returnTo')).toBe(`${server.url}/bye`);
  });

  test.each([
    ['returnTo=https://evil.example'],
    ['returnTo=//evil.example'],
    [`returnTo=${appOrigin}&returnTo=https://evil.example`],
    [`returnTo=${appOrigin}/${'x'.repeat(2000)}`],
    ['x-client-type=desktop'],
    ['x-client-type='],
  ])('with the foreign returnTo %j is refused, and ends no session', async (query) => {
    const browser = await signIn();
    const response = await browser.fetch(`/auth/logout?${query}`);
    expect([response.status, await response.json()]).toMatchObject([400, { code: 'bad-request' }]);
    expect(response.headers.get('location')).toBeNull();
    expect(await isSignedIn(browser)).toBe(true);
  });
});

describe('a request to log out from a page of another site', () => {
  const crossSite = { 'Sec-Fetch-Site': 'cross-site' };

  test.each([
    ['an image tag', { 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'image' }],
    ['a frame', { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'iframe' }],
    ['a script of a page', { 'Sec-Fetch-Mode': 'cors', Origin: 'https://evil.example' }],
    ['a request without Sec-Fetch headers', {}],
  ])(
    'is refused when sent by %s, so that the site cannot log a person out',
    async (_name, headers) => {
      const browser = await signIn();
      const { statusCode, headers: answered } = await logOut(browser, { ...crossSite, ...headers });
      expect([statusCode, answered['set-cookie']]).toEqual([403, undefined]);
      expect(await isSignedIn(browser)).toBe(true);
    },
  );

  test.each([
    [
      'from a link that the person follows',
      { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' },
    ],
    ['from a script whose origin is allowed', { Origin: appOrigin }],
  ])('is accepted when it comes %s', async (_name, headers) => {
    const browser = await signIn();
    const { statusCode } = await logOut(browser, { ...crossSite, ...headers });
    expect(statusCode).toBe(302);
    expect(await isSignedIn(browser)).toBe(false);
  });
});

describe('a request to log out without a configured identity provider', () => {
  let alone: TestServer;
  beforeAll(async () => {
    alone = await startTestServer({
      database: world.database,
      rest: true,
      graphql: false,
      environment: { ROWGATE_DATA_DIR: server.config.dataDir, ROWGATE_APP_ORIGINS: appOrigin },
    });
  });
  afterAll(() => alone.stop());

  test.each([
    ['', '/'],
    ['?returnTo=/bye', '/bye'],
  ])('with returnTo %j redirects to %s', async (query, path) => {
    const response = await new Browser(alone).fetch(`/auth/logout${query}`);
    expect([response.status, response.headers.get('location')]).toEqual([
      302,
      `${alone.url}${path}`,
    ]);
  });

  test('redirects to an allowed application that is given as returnTo', async () => {
    const response = await new Browser(alone).fetch(`/auth/logout?returnTo=${appOrigin}/bye`);
    expect(response.headers.get('location')).toBe(`${appOrigin}/bye`);
  });
});

/**
 * Sends a request with the headers Sec-Fetch-* that a browser would send. Node's fetch would
 * replace them by its own.
 */
async function logOut(
  { cookie }: Browser,
  headers: Readonly<Record<string, string>>,
): Promise<IncomingMessage> {
  const request = get(`${server.url}/auth/logout`, { headers: { Cookie: cookie, ...headers } });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  return response;
}
