import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../../support/http.ts';
import { Browser } from '../support/browser.ts';
import { startOidcProvider, type TestOidcProvider } from '../support/oidc-provider.ts';

const appOrigin = 'https://app.example';

let database: TestDatabase;
let provider: TestOidcProvider;
let server: TestServer;
beforeAll(async () => {
  database = await createDatabase({ from: 'applied' });
  provider = await startOidcProvider();
  server = await startTestServer({
    database,
    rest: true,
    environment: { ...provider.environment, ROWGATE_APP_ORIGINS: appOrigin },
  });
});
afterAll(async () => {
  await server.stop();
  await provider.stop();
  await database.drop();
});

test('a person signs in at an OpenID provider and gets a session, and a logout ends the sessions at the server and the provider', async () => {
  const { accessToken } = await provider.signIn('kim');
  const browser = new Browser(server);
  const exchanged = await browser.exchange(accessToken, { Origin: appOrigin });
  const graphql = await browser.graphql('{ user { id email } }', { Origin: appOrigin });
  const loggedOut = await browser.fetch(`/auth/logout?returnTo=${appOrigin}/bye`);
  const atProvider = new URL(loggedOut.headers.get('location') ?? '');
  expect([exchanged.status, await exchanged.json()]).toMatchObject([
    200,
    { user: { id: 'kim', email: 'kim@people.example', roles: ['user'] } },
  ]);
  expect(graphql.data.user).toEqual([{ id: 'kim', email: 'kim@people.example' }]);
  expect(`${atProvider.origin}${atProvider.pathname}`).toBe(`${provider.issuer}/session/end`);
  expect(Object.fromEntries(atProvider.searchParams)).toEqual({
    client_id: 'web-application',
    post_logout_redirect_uri: `${appOrigin}/bye`,
  });
  expect((await browser.fetch('/auth/session')).status).toBe(401);
});

test('the ID token of the provider is refused as a credential, because it is meant for the application', async () => {
  const { idToken } = await provider.signIn('kim');
  const response = await new Browser(server).exchange(idToken);
  expect([response.status, await response.json()]).toMatchObject([401, { code: 'invalid-token' }]);
});

test('while the provider does not answer, a logout ends the session and redirects to this server', async () => {
  const browser = new Browser(server);
  await browser.exchange((await provider.signIn('lea')).accessToken);
  const { cookie } = browser;
  await provider.goAway();
  const response = await browser.fetch('/auth/logout?x-client-type=api');
  const session = await new Browser(server, cookie).fetch('/auth/session');
  await provider.comeBack();
  expect([response.status, session.status]).toEqual([200, 401]);
});
