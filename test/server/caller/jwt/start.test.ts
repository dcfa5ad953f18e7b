import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../../../support/database.ts';
import { startTestServer } from '../../../support/http.ts';
import { createOwnDatabase, type OwnDatabase } from '../support/own-database.ts';
import { askWith, makeSecretSigner } from './support.ts';

let database: OwnDatabase;
let platform: TestDatabase;
beforeAll(async () => {
  database = await createOwnDatabase();
  platform = await createDatabase({ from: 'applied' });
});
afterAll(async () => {
  await database.drop();
  await platform.drop();
});

const key = 'k'.repeat(32);

test('rowgate.yaml can configure tokens', async () => {
  const server = await database.serve(
    {},
    "authentication: { jwt: { jwk_url: 'https://id.example/keys', header: { type: Cookie, name: a } } }",
  );
  expect((await server.ask()).result).toEqual(['invalid-headers', expect.any(String)]);
});

test("the server refuses settings of the platform's identity provider when no application is registered", async () => {
  await expect(database.serve({ ROWGATE_IDP_ISSUER: 'https://id.example' })).rejects.toMatchObject({
    code: 'RG_CONFIG',
    exitCode: 2,
    message: 'ROWGATE_IDP_ISSUER has no effect without an application',
  });
});

test('the server refuses an issuer whose keys cannot be discovered safely', async () => {
  const secret = JSON.stringify({ issuer: 'http://id.example' });
  await expect(database.serve({ ROWGATE_JWT_SECRET: secret })).rejects.toMatchObject({
    code: 'RG_CONFIG',
    hint: expect.stringContaining('jwk_url'),
  });
});

test('the server refuses tokens in a header that the application already reads', async () => {
  const environment = { ROWGATE_JWT_SECRET: JSON.stringify({ type: 'HS256', key }) };
  const starting = startTestServer({ database: platform, rest: true, environment });
  await expect(starting).rejects.toThrow('cannot use the header Authorization');
});

test('without a configuration of tokens, the server ignores tokens', async () => {
  const server = await database.serve();
  const token = await makeSecretSigner('HS256', key).sign();
  expect((await askWith(server, token)).result).toEqual([
    'access-denied',
    'x-gql-admin-secret required, but not found',
  ]);
});
