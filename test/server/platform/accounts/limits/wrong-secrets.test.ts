import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../../support/http.ts';
import { RawSocket } from '../../../graphql/websocket/support/raw-socket.ts';
import { storeKey } from '../api-keys/stored-key.ts';

const rate = 3;
const metricsToken = 'm'.repeat(16);
let database: TestDatabase;
let owner: pg.Client;
/** Two servers of the platform behind one proxy. */
let server: TestServer;
let other: TestServer;
/** A server with GraphQL only, without the platform. */
let alone: TestServer;

beforeAll(async () => {
  database = await createDatabase({ from: 'applied' });
  owner = await database.connectOwner();
  const environment = {
    ROWGATE_EXCHANGE_RATE: String(rate),
    ROWGATE_METRICS_TOKEN: metricsToken,
    ROWGATE_TRUST_PROXY: '1',
  };
  server = await startTestServer({ database, rest: true, environment });
  // All servers share the folder, because it contains the passwords of the logins that they use.
  const shared = { ...environment, ROWGATE_DATA_DIR: server.config.dataDir };
  other = await startTestServer({ database, rest: true, environment: shared });
  alone = await startTestServer({ database, environment: shared });
});
afterAll(async () => {
  await Promise.all([server.stop(), other.stop(), alone.stop()]);
  await database.drop();
});

beforeEach(() => owner.query('delete from rowgate_auth.rate_limit'));

let addresses = 0;
/** Returns a client address that no other test uses, so that counts of tests do not mix. */
function newAddress(): string {
  addresses += 1;
  return `192.0.2.${addresses}`;
}

type Ask = (secret: string, from: string, where?: TestServer) => Promise<Response>;

const graphql: Ask = (secret, from, where = server) =>
  where.fetch('/v1/graphql', {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-Gql-Admin-Secret': secret,
      'X-Forwarded-For': from,
    },
    body: '{"query":"{ organization { id } }"}',
  });

const metrics: Ask = (secret, from, where = server) =>
  where.fetch('/metrics', {
    headers: { Authorization: `Bearer ${secret}`, 'X-Forwarded-For': from },
  });

const trigger: Ask = (secret, from, where = server) =>
  where.fetch('/webhooks/on-user-insert', {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'x-platform-api-token': secret,
      'X-Forwarded-For': from,
    },
    body: '{}',
  });

const anAgreement: Ask = (secret, from, where = server) =>
  where.fetch('/pdf/case/00000000-0000-4000-8000-00000000dead/agreement', {
    headers: { 'X-API-Key': secret, 'X-Forwarded-For': from },
  });

/**
 * Sends requests with wrong secrets one after the other, and returns the statuses of the answers.
 */
async function statuses(asks: readonly Ask[], from: string, where?: TestServer): Promise<number[]> {
  const found: number[] = [];
  for (const [index, ask] of asks.entries()) {
    found.push((await ask(`wrong-secret-${index}`, from, where)).status);
  }
  return found;
}

const times = <T>(count: number, what: T): readonly T[] => Array<T>(count).fill(what);

describe.each([
  ['the admin role', graphql, 200, () => server.adminSecret, 200],
  ['the endpoint /metrics', metrics, 401, () => metricsToken, 200],
  ["the platform's webhooks", trigger, 401, () => 'p'.repeat(40), 400],
] as const)('requests with a wrong secret of %s', (_, ask, refused, right, passed) => {
  test('are answered 429 once one client address has sent too many', async () => {
    const from = newAddress();
    const all = await statuses(times(rate + 2, ask), from);
    expect(all).toEqual([...times(rate, refused), 429, 429]);
  });

  test('do not block requests with the right secret from the same address', async () => {
    const from = newAddress();
    await statuses(times(rate + 1, ask), from);
    expect((await ask(right(), from)).status).toBe(passed);
    expect((await ask('wrong-secret', from)).status).toBe(429);
  });

  test('are counted for the client address that the proxy reports', async () => {
    const from = newAddress();
    await statuses(times(rate + 1, ask), from);
    expect(await statuses([ask], newAddress())).toEqual([refused]);
  });
});

test('requests with the right secret do not count as attempts with a wrong one', async () => {
  const from = newAddress();
  for (let count = 0; count <= rate; count += 1) await graphql(server.adminSecret, from);
  expect(await statuses([graphql], from)).toEqual([200]);
});

test('requests with wrong secrets of all kinds are counted together, by all servers', async () => {
  const from = newAddress();
  expect(await statuses([graphql, metrics], from)).toEqual([200, 401]);
  expect(await statuses([trigger, graphql], from, other)).toEqual([401, 429]);
});

test('the answer 429 to wrong secrets contains Retry-After', async () => {
  const from = newAddress();
  await statuses(times(rate, graphql), from);
  const response = await graphql('wrong-secret', from);
  expect(await response.json()).toMatchObject({ status: 429, code: 'too-many-requests' });
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
});

test('a server without the platform counts wrong secrets in its memory, without the shared database table', async () => {
  const from = newAddress();
  expect(await statuses(times(rate + 1, graphql), from, alone)).toEqual([200, 200, 200, 429]);
  expect((await graphql(alone.adminSecret, from, alone)).status).toBe(200);
});

test('wrong secrets over WebSocket are counted like those over HTTP', async () => {
  const from = newAddress();
  const introduce = async (secret: string) => {
    const socket = new RawSocket(server.url, { headers: { 'X-Forwarded-For': from } });
    await socket.init({ 'X-Gql-Admin-Secret': secret });
    return socket;
  };
  await statuses(times(rate, graphql), from);
  const refused = await introduce('wrong-secret');
  expect(await refused.ended).toMatchObject({
    code: 1013,
    reason: expect.stringContaining('too many requests'),
  });
  const entered = await introduce(server.adminSecret);
  expect((await entered.ask('{ organization { id } }')).type).toBe('next');
  entered.end();
});

describe('API keys that do not have the format of a key', () => {
  test('are answered 429 once one client address has sent too many', async () => {
    expect(await statuses(times(rate + 2, anAgreement), newAddress())).toEqual([
      ...times(rate, 401),
      ...[429, 429],
    ]);
  });

  test('do not block requests with a right key from the same address', async () => {
    const from = newAddress();
    const key = await storeKey(owner, { scopes: ['case:read'], role: 'compliance' });
    await statuses(times(rate + 1, anAgreement), from);
    expect((await anAgreement(key.text, from)).status).toBe(404);
  });
});
