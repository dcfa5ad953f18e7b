import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeLogger } from '../../../../../server/log/log.ts';
import { createDatabase, type TestDatabase } from '../../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../../support/http.ts';
import { LogCapture } from '../../../../support/log-capture.ts';
import { startOidcProvider, type TestOidcProvider } from '../support/oidc-provider.ts';
import { badTokens, type Workshop } from './bad-tokens.ts';

const log = new LogCapture();
let database: TestDatabase;
let provider: TestOidcProvider;
let server: TestServer;
let workshop: Workshop;

beforeAll(async () => {
  database = await createDatabase({ from: 'applied' });
  provider = await startOidcProvider();
  const { accessToken: vanished } = await provider.signIn('anna');
  await provider.rotate();
  server = await startTestServer({
    database,
    rest: true,
    environment: { ...provider.environment, ROWGATE_IDP_ALGORITHMS: 'RS256,ES256' },
    logger: makeLogger({ logLevel: 'trace', headerPrefix: 'X-Gql-' }, log),
  });
  const { accessToken: good, idToken } = await provider.signIn('anna');
  await bring(good, '/auth/token-exchange', 'POST');
  const wallet = await bring(good, '/auth/wallet-provider-jwt', 'POST');
  const { token: walletToken } = (await wallet.json()) as { token: string };
  workshop = { provider, good, idToken, walletToken, vanished };
});
afterAll(async () => {
  await server.stop();
  await provider.stop();
  await database.drop();
});

const bring = (token: string, path = '/auth/session', method = 'GET') =>
  server.fetch(path, { method, headers: { Authorization: `Bearer ${token}` } });

/** Waits for the line in the request log that belongs to an answer. */
const lineOf = (response: Response) =>
  log.lineWith(`"requestId":"${response.headers.get('x-request-id')}"`);

/** Returns true when any 20 consecutive characters of one text occur in the other. */
const leaks = (text: string, into: string) =>
  Array.from({ length: text.length - 19 }, (_, start) => text.slice(start, start + 20)).some(
    (slice) => into.includes(slice),
  );

test('a token of a real OpenID provider gives access to the session and the data API', async () => {
  expect((await bring(workshop.good)).status).toBe(200);
  const { data } = await graphql(workshop.good);
  expect(data).toEqual({ user: [{ id: 'anna' }] });
});

describe('a Bearer token is refused, and the log contains the reason but no part of the token:', () => {
  test.each(Object.entries(badTokens))('%s', async (_title, { reason, make }) => {
    const token = await make(workshop);
    const response = await bring(token);
    expect([response.status, await response.json()]).toEqual([
      401,
      expect.objectContaining({
        code: 'invalid-token',
        detail: reason === 'expired' ? 'the token has expired' : 'the token is not valid here',
      }),
    ]);
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
    expect(await lineOf(response)).toMatchObject({ reason });
    const { errors } = await graphql(token);
    expect(errors[0].extensions.code).toBe('invalid-jwt');
    expect(leaks(token, log.text)).toBe(false);
  });
});

async function graphql(token: string) {
  const response = await server.fetch('/v1/graphql', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify({ query: '{ user { id } }' }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what the test is about
  return (await response.json()) as any;
}
