import { Value } from 'typebox/value';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { issuedTokenSchema } from '../../../../../server/platform/accounts/issued-token.ts';
import { createDatabase, type TestDatabase } from '../../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../../support/http.ts';
import { query } from '../../../../support/query.ts';
import { Browser } from '../support/browser.ts';
import { type LocalIssuer, startLocalIssuer } from '../support/local-issuer.ts';

const path = '/auth/wallet-provider-jwt';

let database: TestDatabase;
let issuer: LocalIssuer;
let server: TestServer;
beforeAll(async () => {
  database = await createDatabase({ from: 'applied' });
  issuer = await startLocalIssuer();
  server = await startTestServer({
    database,
    rest: true,
    graphql: false,
    environment: { ...issuer.environment, ROWGATE_TOKEN_RATE: '4', ROWGATE_TRUST_PROXY: '1' },
  });
});
afterAll(async () => {
  await server.stop();
  await issuer.stop();
  await database.drop();
});

const signedIn = async (id: string) => {
  const browser = new Browser(server);
  const token = await issuer.tokenFor(id, { email: `${id}@people.example`, email_verified: true });
  await browser.exchange(token);
  return { browser, token };
};
/** Deletes the counts of earlier requests, so that the rate limit starts again. */
const forgive = () => query(database.superuserUrl, 'delete from rowgate_auth.rate_limit');

test('a person gets a wallet token with a session cookie and with a Bearer token', async () => {
  await forgive();
  const { browser, token } = await signedIn('anna');
  const headers = { Authorization: `Bearer ${token}` };
  for (const answer of [
    await browser.fetch(path, { method: 'POST' }),
    await server.fetch(path, { method: 'POST', headers }),
  ]) {
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(Value.Check(issuedTokenSchema, await answer.json())).toBe(true);
  }
});

test('a wallet token is refused without a sign-in and to pages of other sites', async () => {
  await forgive();
  const { browser } = await signedIn('anna');
  const unauthenticated = await server.fetch(path, { method: 'POST' });
  const foreign = { Origin: 'https://evil.example' };
  const lured = await browser.fetch(path, { method: 'POST', headers: foreign });
  expect([unauthenticated.status, lured.status]).toEqual([401, 403]);
});

test('the server refuses a wallet token as a credential', async () => {
  await forgive();
  const { browser } = await signedIn('anna');
  const answer = await browser.fetch(path, { method: 'POST' });
  const { token } = (await answer.json()) as { token: string };
  const headers = { Authorization: `Bearer ${token}` };
  expect((await server.fetch('/auth/session', { headers })).status).toBe(401);
  expect((await server.fetch(path, { method: 'POST', headers })).status).toBe(401);
});

test('a disabled person gets no wallet token', async () => {
  await forgive();
  const { browser } = await signedIn('berta');
  await query(
    database.superuserUrl,
    `update public."user" set status = 'disabled' where id = 'berta'`,
  );
  expect((await browser.fetch(path, { method: 'POST' })).status).toBe(401);
});

test('requests for wallet tokens above the rate limit are answered 429', async () => {
  await forgive();
  const { browser } = await signedIn('carla');
  const statuses: number[] = [];
  // The server also remembers a refused address in memory, where the test cannot delete it. With a separate address,
  // other tests are not affected.
  const headers = { 'X-Forwarded-For': '198.51.100.1' };
  for (let n = 0; n < 6; n += 1) {
    statuses.push((await browser.fetch(path, { method: 'POST', headers })).status);
  }
  expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);
});

test("the rate limit for wallet tokens counts a person's requests from all addresses together", async () => {
  await forgive();
  const { browser } = await signedIn('dora');
  const statuses: number[] = [];
  for (let n = 1; n < 6; n += 1) {
    const headers = { 'X-Forwarded-For': `192.0.2.${n}` };
    statuses.push((await browser.fetch(path, { method: 'POST', headers })).status);
  }
  expect(statuses).toEqual([200, 200, 200, 200, 429]);
});
