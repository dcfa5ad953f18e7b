import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createDatabase, type TestDatabase } from '../../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../../support/http.ts';
import { startOidcProvider, type TestOidcProvider } from '../support/oidc-provider.ts';

let database: TestDatabase;
let provider: TestOidcProvider;
let server: TestServer;
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  database = await createDatabase({ from: 'applied' });
  provider = await startOidcProvider();
});
// Each test has its own server, because a server remembers the keys of the provider.
beforeEach(async () => {
  const { environment } = provider;
  server = await startTestServer({ database, rest: true, graphql: false, environment });
});
afterEach(() => server.stop());
afterAll(async () => {
  vi.useRealTimers();
  await provider.stop();
  await database.drop();
});

const exchange = (token: string) =>
  server.fetch('/auth/token-exchange', {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
  });

test("sign-ins fail with 503 until the provider's keys were fetched once, and then succeed while it is down", async () => {
  const { accessToken } = await provider.signIn('anna');
  await provider.goAway();
  const early = await exchange(accessToken);
  expect([early.status, await early.json()]).toMatchObject([503, { code: 'unavailable' }]);
  expect(early.headers.get('retry-after')).toMatch(/^\d+$/);
  await provider.comeBack();
  vi.advanceTimersByTime(25_000);
  expect((await exchange(accessToken)).status).toBe(200);
  const { accessToken: another } = await provider.signIn('berta');
  await provider.goAway();
  vi.advanceTimersByTime(3_600_000);
  expect((await exchange(another)).status).toBe(200);
  await provider.comeBack();
});

test('the server fetches new keys of the provider when a token names an unknown key, and then refuses tokens of the removed one', async () => {
  const old = await provider.signIn('anna');
  expect((await exchange(old.accessToken)).status).toBe(200);
  await provider.rotate();
  vi.advanceTimersByTime(11_000);
  const before = provider.keyRequests();
  const fresh = await provider.signIn('anna');
  expect((await exchange(fresh.accessToken)).status).toBe(200);
  expect(provider.keyRequests()).toBe(before + 1);
  expect((await exchange(old.accessToken)).status).toBe(401);
});
