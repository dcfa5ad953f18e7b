import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeLogger } from '../../../server/log/log.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { startTestServer, type TestServer } from '../../support/http.ts';
import { LogCapture } from '../../support/log-capture.ts';

const custodySecret = 'custody-secret-of-the-provider-0123456789';
const platformSecret = 'p'.repeat(40);
const log = new LogCapture();
let database: TestDatabase;
let server: TestServer;

beforeAll(async () => {
  database = await createDatabase({ from: 'applied' });
  server = await startTestServer({
    database,
    rest: true,
    logger: makeLogger({ logLevel: 'trace', headerPrefix: 'X-Gql-' }, log),
    environment: { ROWGATE_CUSTODY_WEBHOOK_SECRET: custodySecret },
  });
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});
beforeEach(() => log.forget());

const path = '/webhooks/on-insert-custody-webhook-payload-transaction';
const body = JSON.stringify({ type: 'transaction', nothing: 'else' });
const signature = createHmac('sha256', custodySecret).update(body).digest('hex');

/** Sends a request, waits for its line in the request log and returns that line. */
async function lineOf(place: string, headers: Readonly<Record<string, string>>, method = 'POST') {
  const init = { method, headers: { 'Content-Type': 'application/json', ...headers } };
  await server.fetch(place, method === 'GET' ? init : { ...init, body });
  return log.lineWith('"headers":{');
}

test.each([
  [path, 'X-Signature-SHA256', signature],
  [path, 'X-Signature-SHA256', 'a-wrong-signature-that-nobody-made'],
  ['/webhooks/on-card-webhook', 'X-Card-Signature', 't=1,v1=0123456789abcdef0123456789'],
  ['/webhooks/on-kyc-provider-webhook-payload', 'x-payload-digest', 'fedcba9876543210fedcba'],
  ['/webhooks/on-user-insert', 'x-platform-api-token', platformSecret],
  ['/webhooks/on-user-insert', 'x-platform-api-token', 'a-wrong-token-of-the-platform'],
  ['/v1/graphql', 'X-Gql-Admin-Secret', 'a'.repeat(40)],
  ['/v1/graphql', 'X-Gql-Admin-Secret', 'a-wrong-secret-of-the-admin'],
  ['/v1/graphql', 'Authorization', 'Bearer an-odd-token'],
  ['/auth/token-exchange', 'Cookie', 'rowgate_session=an-odd-session'],
  ['/auth/kyc-sdk/init-token', 'X-API-Key', 'rgk_an-odd-key'],
  ['/nowhere', 'X-Of-The-Operator', 'a-secret-of-the-operator'],
])('the line of %s in the request log masks the header %s: %s', async (place, header, value) => {
  const line = await lineOf(place, { [header]: value });
  expect(line.headers).toMatchObject({
    [header.toLowerCase()]: '[secret]',
    'content-type': 'application/json',
  });
  expect(log.text).not.toContain(value);
});
