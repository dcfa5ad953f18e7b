import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { makeLogger } from '../../../server/log/log.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { startTestServer, type TestServer } from '../../support/http.ts';
import { LogCapture } from '../../support/log-capture.ts';

let database: TestDatabase;
let server: TestServer;
const log = new LogCapture();

beforeAll(async () => {
  database = await createDatabase({ from: 'applied' });
  const logger = makeLogger({ logLevel: 'debug', headerPrefix: 'X-Gql-' }, log);
  server = await startTestServer({ database, logger, plugins: true });
});

afterAll(async () => {
  await server.stop();
  await database.drop();
});

describe('/healthz and /readyz', () => {
  test('answer 200 while the server is serving', async () => {
    const response = await server.fetch('/healthz');
    expect([response.status, await response.json()]).toEqual([200, { status: 'serving' }]);
  });

  test('answer that the server is ready when the metadata is applied', async () => {
    const response = await server.fetch('/readyz');
    expect([response.status, await response.json()]).toEqual([
      200,
      { status: 'ready', reasons: [] },
    ]);
  });
});

test('/version answers without authentication', async () => {
  const response = await server.fetch('/v1/version');
  expect([response.status, await response.json()]).toEqual([
    200,
    { server_type: 'rowgate', version: manifest.version },
  ]);
});

describe('the request id in the answer', () => {
  test('is the one that the caller sent', async () => {
    const response = await server.fetch('/nowhere', { headers: { 'X-Request-Id': 'call-17.b' } });
    expect(response.headers.get('x-request-id')).toBe('call-17.b');
    expect(await response.json()).toMatchObject({ requestId: 'call-17.b' });
  });

  test("is a new one when the caller's has characters that are unsafe in a log", async () => {
    const response = await server.fetch('/nowhere', {
      headers: { 'X-Request-Id': '"},{"level":"x' },
    });
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('a request for an unknown path', () => {
  test('is answered 404 with a problem document', async () => {
    const response = await server.fetch('/nowhere?secret=1');
    expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect([response.status, await response.json()]).toMatchObject([
      404,
      {
        title: 'Not Found',
        status: 404,
        code: 'not-found',
        detail: 'there is nothing at GET /nowhere',
      },
    ]);
  });

  test('is answered 400 when the path cannot be decoded', async () => {
    const response = await server.fetch('/%E0%A4%A');
    expect(response.status).toBeLessThan(500);
  });
});

test('the request log contains method and path of the request, and no secret', async () => {
  await server.graphql('{ organization { id } }', {
    'X-Request-Id': 'logged-1',
    Authorization: 'Bearer hunter2',
    Cookie: 'sid=hunter3',
  });
  expect(await log.lineWith('"requestId":"logged-1"')).toMatchObject({
    method: 'POST',
    path: '/v1/graphql',
    status: 200,
    headers: {
      'x-gql-admin-secret': '[secret]',
      authorization: '[secret]',
      cookie: '[secret]',
    },
  });
  expect(log.text).not.toContain(server.adminSecret);
});
