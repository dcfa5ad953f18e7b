import { createRemoteJWKSet, jwtVerify } from 'jose';
import * as client from 'openid-client';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { discoverySchema } from '../../../../../server/platform/accounts/discovery/discovery-document.ts';
import { createDatabase, type TestDatabase } from '../../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../../support/http.ts';
import { query } from '../../../../support/query.ts';
import { startAnswerServer } from '../support/key-server.ts';
import { startOidcProvider, type TestOidcProvider } from '../support/oidc-provider.ts';

let database: TestDatabase;
let provider: TestOidcProvider;
let server: TestServer;
beforeAll(async () => {
  database = await createDatabase({ from: 'applied' });
  provider = await startOidcProvider();
  server = await startTestServer({
    database,
    rest: true,
    graphql: false,
    environment: { ...provider.environment, ROWGATE_WALLET_AUDIENCE: 'https://wallets.example' },
  });
});
afterAll(async () => {
  await server.stop();
  await provider.stop();
  await database.drop();
});

const bring = (token: string, path: string) =>
  server.fetch(path, { method: 'POST', headers: { Authorization: `Bearer ${token}` } });

describe('the OpenID discovery document of the platform', () => {
  const read = async () => (await server.fetch('/.well-known/openid-configuration')).json();

  test('contains the issuer, the URL of the key set and the sign-in endpoints', async () => {
    const document = await read();
    expect(Value.Check(discoverySchema, document)).toBe(true);
    expect(document).toMatchObject({
      issuer: server.url,
      jwks_uri: `${server.url}/.well-known/jwks.json`,
      authorization_endpoint: `${provider.issuer}/auth`,
      token_endpoint: `${provider.issuer}/token`,
      end_session_endpoint: `${server.url}/auth/logout`,
      id_token_signing_alg_values_supported: ['RS256'],
      subject_types_supported: ['public'],
    });
  });

  test('may be cached by every cache for a short time', async () => {
    for (const path of ['/.well-known/openid-configuration', '/.well-known/jwks.json']) {
      const { headers } = await server.fetch(path);
      expect(headers.get('cache-control')).toBe('public, max-age=60');
      expect(headers.get('content-type')).toMatch(/^application\/json/);
    }
  });

  test('is accepted by an OpenID client library', async () => {
    const config = await client.discovery(
      new URL(server.url),
      'anybody',
      undefined,
      client.None(),
      {
        execute: [client.allowInsecureRequests],
      },
    );
    expect(config.serverMetadata().issuer).toBe(server.url);
  });
});

test('an OpenID client library verifies a wallet token with the published key set', async () => {
  const { accessToken } = await provider.signIn('anna');
  await bring(accessToken, '/auth/token-exchange');
  const answer = await bring(accessToken, '/auth/wallet-provider-jwt');
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
  const { token, expiresAt } = (await answer.json()) as { token: string; expiresAt: string };
  const config = await client.discovery(new URL(server.url), 'anybody', undefined, client.None(), {
    execute: [client.allowInsecureRequests],
  });
  const keys = createRemoteJWKSet(new URL(String(config.serverMetadata().jwks_uri)));
  const { payload } = await jwtVerify(token, keys, {
    issuer: server.url,
    audience: 'https://wallets.example',
    typ: 'wallet+jwt',
    algorithms: ['RS256'],
  });
  expect(payload).toMatchObject({ sub: 'anna', scope: 'smart-account' });
  expect(Number(payload.exp) - Number(payload.iat)).toBe(300);
  expect(expiresAt).toBe(new Date(Number(payload.exp) * 1000).toISOString());
  const [person] = (await query(
    database.superuserUrl,
    `select organization_id from public."user" where id = 'anna'`,
  )) as { organization_id: string }[];
  expect(payload.organization_id).toBe(person?.organization_id);
  expect(Object.keys(payload).sort()).toEqual(
    ['aud', 'exp', 'iat', 'iss', 'jti', 'nbf', 'organization_id', 'scope', 'sub'].sort(),
  );
});

test('the published key set contains only public members of the keys, whatever the database stores', async () => {
  await query(
    database.superuserUrl,
    `update rowgate_auth.signing_key set public_jwk = public_jwk || '{"d": "secret", "p": "secret"}'`,
  );
  const restarted = await startTestServer({
    database,
    rest: true,
    graphql: false,
    environment: provider.environment,
  });
  const { keys } = (await (await restarted.fetch('/.well-known/jwks.json')).json()) as {
    keys: object[];
  };
  await restarted.stop();
  expect(keys.map((key) => Object.keys(key))).toEqual([['kty', 'kid', 'use', 'alg', 'n', 'e']]);
});

test("the discovery document soon answers without the provider's endpoints when the provider does not answer", async () => {
  const noAnswer = await startAnswerServer(() => {});
  const silent = await startTestServer({
    database,
    rest: true,
    graphql: false,
    environment: { ...provider.environment, ROWGATE_IDP_ISSUER: noAnswer.url },
  });
  const answer = await silent.fetch('/.well-known/openid-configuration');
  const document = await answer.json();
  await silent.stop();
  await noAnswer.goAway();
  expect(noAnswer.requests).toHaveLength(1);
  expect([answer.status, document]).toEqual([200, expect.objectContaining({ issuer: silent.url })]);
  expect(document).not.toHaveProperty('authorization_endpoint');
});
