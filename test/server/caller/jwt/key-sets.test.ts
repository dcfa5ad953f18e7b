import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  type AnswerServer,
  json,
  startAnswerServer,
} from '../../platform/accounts/support/key-server.ts';
import { startOidcProvider } from '../../platform/accounts/support/oidc-provider.ts';
import { audience } from '../../platform/accounts/support/sign-in.ts';
import { createOwnDatabase, type OwnDatabase, type OwnServer } from '../support/own-database.ts';
import { askWith, goodClaims } from './support.ts';

let database: OwnDatabase;
let endpoint: AnswerServer;

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  database = await createOwnDatabase();
});
beforeEach(async () => {
  endpoint = await startAnswerServer(json({ keys: [] }));
});
afterEach(() => endpoint.goAway());
afterAll(async () => {
  vi.useRealTimers();
  await database.drop();
});

const serve = (more: object = {}) =>
  database.serve({
    ROWGATE_JWT_SECRET: JSON.stringify({ jwk_url: `${endpoint.url}/keys`, ...more }),
    ROWGATE_UNAUTHORIZED_ROLE: 'visitor',
  });

async function makeKey(alg: string, kid: string) {
  const { publicKey, privateKey } = await generateKeyPair(alg);
  const jwk = { ...(await exportJWK(publicKey)), kid };
  return {
    jwk,
    token: (header: object = { kid }) =>
      new SignJWT(goodClaims()).setProtectedHeader({ alg, ...header }).sign(privateKey),
  };
}

const resultOf = async (server: OwnServer, token: string) => (await askWith(server, token)).result;
const unknown = ['invalid-jwt', 'Could not verify JWT: JWSError NoUsableKeys'];
const invalid = ['invalid-jwt', 'Could not verify JWT: JWSError JWSInvalidSignature'];

/** Values that depend on the time, by their names in the titles. */
const headers: Readonly<Record<string, string>> = {
  'in two hours': new Date(Date.now() + 7_200_000).toUTCString(),
};

describe('a key set at a URL', () => {
  test.each(['RS256', 'PS256', 'ES256', 'Ed25519'])(
    'verifies tokens with %s, with or without a key id',
    async (alg) => {
      const [key, other] = [await makeKey(alg, 'one'), await makeKey(alg, 'two')];
      endpoint.answer = json({ keys: [key.jwk, other.jwk] });
      const server = await serve();
      expect(await resultOf(server, await key.token())).toEqual(['anna']);
      expect(await resultOf(server, await other.token({}))).toEqual(['anna']);
      expect(await resultOf(server, await key.token({ kid: 'two' }))).toEqual(invalid);
      expect(endpoint.requests).toHaveLength(1);
    },
  );

  test('is fetched again for an unknown key, at most every ten seconds', async () => {
    const [old, next] = [await makeKey('ES256', 'old'), await makeKey('ES256', 'next')];
    endpoint.answer = json({ keys: [old.jwk] });
    const server = await serve();
    expect(await resultOf(server, await old.token())).toEqual(['anna']);
    endpoint.answer = json({ keys: [next.jwk] });
    expect(await resultOf(server, await next.token())).toEqual(unknown);
    expect(endpoint.requests).toHaveLength(1);
    vi.advanceTimersByTime(11_000);
    expect(await resultOf(server, await next.token())).toEqual(['anna']);
    expect(await resultOf(server, await old.token())).toEqual(unknown);
    expect(endpoint.requests).toHaveLength(2);
  });

  test.each([
    ['Cache-Control', 'public, max-age=3600', 3590, 1],
    ['Cache-Control', 'public, max-age=3600', 3610, 2],
    ['Expires', 'in two hours', 7000, 1],
    ['Expires', 'in two hours', 7300, 2],
    ['Cache-Control', 'no-store', 50, 1],
    ['Cache-Control', 'no-store', 70, 2],
  ])(
    'with %s: %s is fetched again after the time in the header (%i s)',
    async (name, value, later, fetched) => {
      const key = await makeKey('ES256', 'one');
      endpoint.answer = (request, response) => {
        response.setHeader(name, headers[value] ?? value);
        json({ keys: [key.jwk] })(request, response);
      };
      const server = await serve();
      await resultOf(server, await key.token());
      vi.advanceTimersByTime(later * 1000);
      expect(await resultOf(server, await key.token())).toEqual(['anna']);
      await vi.waitFor(() => expect(endpoint.requests).toHaveLength(fetched));
    },
  );

  test('that was fetched once is used for a day while it cannot be fetched', async () => {
    const key = await makeKey('RS256', 'one');
    endpoint.answer = json({ keys: [key.jwk] });
    const server = await serve();
    expect(await resultOf(server, await key.token())).toEqual(['anna']);
    await endpoint.goAway();
    vi.advanceTimersByTime(23 * 3_600_000);
    expect(await resultOf(server, await key.token())).toEqual(['anna']);
    vi.advanceTimersByTime(2 * 3_600_000);
    expect((await askWith(server, await key.token())).status).toBe(503);
  });

  test('that was never fetched makes requests fail as an outage, not as a wrong token, also with an anonymous role', async () => {
    const key = await makeKey('RS256', 'one');
    await endpoint.goAway();
    const server = await serve();
    expect(await askWith(server, await key.token())).toEqual({
      status: 503,
      result: ['unavailable', 'the keys that verify tokens cannot be fetched at the moment'],
    });
    expect((await server.ask()).result).toEqual(['ben']);
    expect(server.log.text).toContain('cannot read a set of JWT keys');
  });

  test('is not fetched from the target of a redirect', async () => {
    const key = await makeKey('RS256', 'one');
    endpoint.answer = (request, response) => {
      if (request.url === '/moved') return json({ keys: [key.jwk] })(request, response);
      response.writeHead(302, { location: '/moved' }).end();
    };
    const server = await serve();
    expect((await askWith(server, await key.token())).status).toBe(503);
    expect(endpoint.requests).toEqual(['/keys']);
  });

  test("verifies no token with a shared secret from the set, or with an algorithm that does not fit the key's type", async () => {
    const key = await makeKey('RS256', 'one');
    const k = Buffer.alloc(32, 1);
    endpoint.answer = json({
      keys: [key.jwk, { kty: 'oct', kid: 'secret', k: k.toString('base64url') }],
    });
    const server = await serve({ type: 'ES256' });
    const secretToken = await new SignJWT(goodClaims())
      .setProtectedHeader({ alg: 'HS256', kid: 'secret' })
      .sign(k);
    expect(await resultOf(server, secretToken)).toEqual(invalid);
    expect(await resultOf(server, await key.token())).toEqual(invalid);
  });

  test('causes a warning when neither audience nor issuer is configured', async () => {
    expect((await serve()).log.text).toContain('neither audience nor issuer');
    expect((await serve({ audience: 'web' })).log.text).not.toContain('neither audience');
  });
});

/** Where the tokens of the OpenID provider hold roles and variables. */
const claims_map = {
  'x-hasura-allowed-roles': ['reader'],
  'x-hasura-default-role': 'reader',
  'x-hasura-user-id': { path: '$.sub' },
};

test('the keys of an OpenID provider are found by their URL, and are used while the provider is away', async () => {
  const provider = await startOidcProvider();
  const url = `${provider.issuer}/jwks`;
  const ROWGATE_JWT_SECRET = JSON.stringify({ jwk_url: url, audience, claims_map });
  const server = await database.serve({ ROWGATE_JWT_SECRET, ROWGATE_UNAUTHORIZED_ROLE: 'visitor' });
  const { accessToken } = await provider.signIn('ben');
  expect(await resultOf(server, accessToken)).toEqual(['ben']);
  await provider.goAway();
  expect(await resultOf(server, accessToken)).toEqual(['ben']);
  const later = await database.serve({ ROWGATE_JWT_SECRET, ROWGATE_UNAUTHORIZED_ROLE: 'visitor' });
  expect((await askWith(later, accessToken)).status).toBe(503);
  await provider.comeBack();
  vi.advanceTimersByTime(11_000);
  expect(await resultOf(later, accessToken)).toEqual(['ben']);
  await provider.stop();
});

test('the keys of an OpenID provider are found by the configured issuer, also after the provider has changed its keys', async () => {
  const provider = await startOidcProvider();
  const server = await database.serve({
    ROWGATE_JWT_SECRET: JSON.stringify({ issuer: provider.issuer, audience, claims_map }),
  });
  const first = await provider.signIn('ben');
  expect(await resultOf(server, first.accessToken)).toEqual(['ben']);
  expect(await resultOf(server, first.idToken)).toEqual([
    'invalid-jwt',
    'Could not verify JWT: JWTNotInAudience',
  ]);
  await provider.rotate();
  vi.advanceTimersByTime(11_000);
  const second = await provider.signIn('anna');
  expect(await resultOf(server, second.accessToken)).toEqual(['anna']);
  expect(await resultOf(server, first.accessToken)).toEqual(unknown);
  await provider.stop();
});
