import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { makeLogger } from '../../../server/log/log.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { startTestServer, type TestServer } from '../../support/http.ts';
import { LogCapture } from '../../support/log-capture.ts';

const log = new LogCapture();
let database: TestDatabase;
let server: TestServer;

beforeAll(async () => {
  database = await createDatabase({ from: 'applied' });
  server = await startTestServer({
    database,
    plugins: true,
    logger: makeLogger({ logLevel: 'info', headerPrefix: 'X-Gql-' }, log),
    environment: { ROWGATE_LOG_REQUESTS: '0' },
  });
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

test('ROWGATE_LOG_REQUESTS=0 logs GraphQL requests with errors, and no other request that is answered', async () => {
  // Slow requests are logged in any case, so no time passes in this test.
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
  onTestFinished(() => clock.mockRestore());
  await server.graphql('{ organization { id } }', { 'X-Request-Id': 'good' });
  await server.fetch('/v1/version', { headers: { 'X-Request-Id': 'version' } });
  await server.fetch('/openapi.json', { headers: { 'X-Request-Id': 'document' } });
  const { status } = await server.graphql('{ nothing }', { 'X-Request-Id': 'bad' });
  expect(await log.lineWith('"requestId":"bad"')).toMatchObject({ status, path: '/v1/graphql' });
  expect(status).toBe(200);
  for (const id of ['good', 'version', 'document']) expect(log.text).not.toContain(id);
});
