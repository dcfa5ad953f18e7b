import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../../support/http.ts';
import { query } from '../../../../support/query.ts';
import { vacantPort } from '../../../../support/rowgate.ts';
import { Browser } from '../support/browser.ts';
import { type LocalIssuer, startLocalIssuer } from '../support/local-issuer.ts';

const investor = 'local|alder-investor';
const firstSecret = 'first-secret-key-of-forty-characters-000';
const secondSecret = 'second-secret-key-of-forty-characters-00';

let database: TestDatabase;
let issuer: LocalIssuer;
let dataDir: string;
const servers: TestServer[] = [];
beforeAll(async () => {
  database = await createDatabase({ from: 'applied' });
  issuer = await startLocalIssuer();
  dataDir = await mkdtemp(path.join(inject('scratch'), 'instances-'));
});
afterAll(async () => {
  for (const server of servers) await server.stop();
  await issuer.stop();
  await database.drop();
  await rm(dataDir, { recursive: true });
});

async function start(environment: Readonly<Record<string, string>>): Promise<TestServer> {
  const server = await startTestServer({
    database,
    rest: true,
    // All servers share one data folder. In a new folder the login would get a new password, and the other servers
    // could no longer connect.
    environment: { ...issuer.environment, ROWGATE_DATA_DIR: dataDir, ...environment },
  });
  servers.push(server);
  return server;
}

/**
 * Deletes keys that were encrypted with another secret. A server that cannot decrypt them would not
 * start.
 */
const forgetSigningKeys = () =>
  query(database.superuserUrl, 'delete from rowgate_auth.signing_key');

async function signIn(
  server: Pick<TestServer, 'url'>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Browser> {
  const browser = new Browser(server);
  const response = await browser.exchange(await issuer.tokenFor(investor), headers);
  expect(response.status).toBe(200);
  return browser;
}

const statusAt = async (server: TestServer, { cookie }: Browser) =>
  (await new Browser(server, cookie).fetch('/auth/session')).status;

describe('several servers on one database', () => {
  let one: TestServer;
  let other: TestServer;
  beforeAll(async () => {
    await forgetSigningKeys();
    one = await start({ ROWGATE_SECRET_KEY: firstSecret });
    other = await start({ ROWGATE_SECRET_KEY: firstSecret });
  });

  test('share sessions: one that ends on one server has ended on the other', async () => {
    const browser = await signIn(one);
    const { data } = await new Browser(other, browser.cookie).graphql('{ user { id } }');
    const before = await statusAt(other, browser);
    await new Browser(other, browser.cookie).fetch('/auth/session', { method: 'DELETE' });
    expect([before, data.user]).toEqual([200, [{ id: investor }]]);
    expect(await statusAt(one, browser)).toBe(401);
  });

  test('share revoked tokens: one that is revoked on one server is refused by the other', async () => {
    const headers = { Authorization: `Bearer ${await issuer.tokenFor(investor)}` };
    const before = await other.fetch('/auth/session', { headers });
    await one.fetch('/auth/session', { method: 'DELETE', headers });
    const after = await other.fetch('/auth/session', { headers });
    expect([before.status, after.status]).toEqual([200, 401]);
  });

  test('accept session cookies from before a restart, also when the secret was changed and the previous one is still configured', async () => {
    await forgetSigningKeys();
    const leaving = await start({ ROWGATE_SECRET_KEY: firstSecret });
    const browser = await signIn(leaving);
    await leaving.stop();
    const changed = await start({
      ROWGATE_SECRET_KEY: secondSecret,
      ROWGATE_PREVIOUS_SECRET_KEY: firstSecret,
    });
    const newcomer = await signIn(changed);
    expect(await statusAt(changed, browser)).toBe(200);
    expect(await statusAt(other, browser)).toBe(200);
    expect(await statusAt(other, newcomer)).toBe(401);
  });

  test('refuse cookies that were signed with an unknown secret', async () => {
    const browser = await signIn(other);
    await forgetSigningKeys();
    const unrelated = await start({ ROWGATE_SECRET_KEY: secondSecret });
    expect(await statusAt(unrelated, browser)).toBe(401);
    expect(await statusAt(other, browser)).toBe(200);
  });
});

describe('a server behind a proxy that ends https', () => {
  const https = { 'X-Forwarded-Proto': 'https' };
  let server: Pick<TestServer, 'url'>;
  beforeAll(async () => {
    await forgetSigningKeys();
    const port = await vacantPort();
    server = { url: `http://127.0.0.1:${port}` };
    await start({
      PORT: String(port),
      ROWGATE_BASE_URL: 'https://gateway.example.com',
      ROWGATE_TRUST_PROXY: 'loopback',
      ROWGATE_UNAUTHORIZED_ROLE: 'auditor',
    });
  });

  test('sets a session cookie that browsers send over https only', async () => {
    const response = await new Browser(server).exchange(await issuer.tokenFor(investor), https);
    expect(response.headers.getSetCookie()[0]).toMatch(
      /^__Host-rowgate\.sid=.*; Path=\/; .*HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  test('refuses a sign-in that the proxy received without https, with the reason', async () => {
    const response = await new Browser(server).exchange(await issuer.tokenFor(investor));
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { code: 'https-required', detail: expect.stringContaining('ROWGATE_TRUST_PROXY') },
    ]);
  });

  test('accepts requests with a cookie from pages of its own base URL', async () => {
    const headers = { ...https, Origin: 'https://gateway.example.com' };
    const browser = await signIn(server, headers);
    const response = await browser.fetch('/auth/session', { method: 'DELETE', headers });
    expect(response.status).toBe(200);
  });

  test('a request whose session has ended gets the anonymous role when one is configured', async () => {
    const browser = await signIn(server, https);
    const { cookie } = browser;
    const stale = new Browser(server, cookie);
    const before = await stale.graphql('{ user { id } }');
    await browser.fetch('/auth/session', { method: 'DELETE' });
    const after = await stale.graphql('{ __typename }');
    expect(before.data.user).toEqual([{ id: investor }]);
    expect(after.data).toEqual({ __typename: 'query_root' });
  });
});
