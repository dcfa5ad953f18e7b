import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { RawSocket } from '../../graphql/websocket/support/raw-socket.ts';
import {
  adminSecret,
  createOwnDatabase,
  type OwnDatabase,
  type OwnServer,
} from '../support/own-database.ts';
import { askWith, goodClaims, makeSecretSigner, namespace, roles, seconds } from './support.ts';

const key = 'k'.repeat(32);
const otherKey = 'o'.repeat(32);
const { sign } = makeSecretSigner('HS256', key);
const other = makeSecretSigner('HS256', otherKey);
const secretOf = (...entries: object[]) => ({
  ROWGATE_JWT_SECRET: JSON.stringify(entries.map((one) => ({ type: 'HS256', key, ...one }))),
});
const anonymous = { ROWGATE_UNAUTHORIZED_ROLE: 'visitor' };
const invalid = ['invalid-jwt', 'Could not verify JWT: JWSError JWSInvalidSignature'];

let database: OwnDatabase;
let server: OwnServer;
const sockets: RawSocket[] = [];
beforeAll(async () => {
  database = await createOwnDatabase();
  server = await database.serve({ ...secretOf({}), ...anonymous });
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.end();
});
afterAll(() => database.drop());

describe('a token in a cookie', () => {
  const location = { header: { type: 'Cookie', name: 'token' } };
  const cookieOf = async () => `token=${await sign(goodClaims())}`;

  test.each([{ origin: 'https://foreign.example' }, { 'sec-fetch-site': 'cross-site' }])(
    'is refused when a page of another site sends it (%j)',
    async (headers) => {
      const own = await database.serve({ ...secretOf(location), ...anonymous });
      const [code, message] = (await own.ask({ cookie: await cookieOf(), ...headers }))
        .result as string[];
      expect(code).toBe('access-denied');
      expect(message).toMatch(/may not call with the cookie of a user$/);
    },
  );

  test('is accepted from a page of an allowed origin, of the server itself and from programs', async () => {
    const allowed = { ROWGATE_APP_ORIGINS: 'https://app.example' };
    const own = await database.serve({ ...secretOf(location), ...allowed });
    const cookie = await cookieOf();
    const origins = [{ origin: 'https://app.example' }, { origin: new URL(own.url).origin }, {}];
    for (const headers of origins) {
      expect((await own.ask({ cookie, ...headers })).result).toEqual(['anna']);
    }
  });
});

describe('the header Authorization', () => {
  test.each(['', 'Basic abc', 'Bearer', 'Bearer a b'])(
    'as "%s" is refused although an anonymous role is configured',
    async (authorization) => {
      expect((await server.ask({ authorization })).result).toEqual([
        'invalid-headers',
        'Malformed Authorization header',
      ]);
    },
  );

  test("is required when no anonymous role is configured, with Hasura's error message", async () => {
    const strict = await database.serve(secretOf({}));
    expect((await strict.ask()).result).toEqual([
      'invalid-headers',
      "Missing 'Authorization' or 'Cookie' header in JWT authentication mode",
    ]);
  });

  test('is ignored when the request has the admin secret', async () => {
    const headers = { 'x-gql-role': 'editor', authorization: 'Bearer wrong' };
    expect((await server.ask({ ...headers, 'x-gql-admin-secret': adminSecret })).result).toEqual([
      'anna',
      'ben',
    ]);
    expect((await server.ask({ ...headers, 'x-gql-admin-secret': 'wrong' })).result).toEqual([
      'access-denied',
      'invalid x-gql-admin-secret',
    ]);
  });
});

describe('a token in a cookie', () => {
  let withCookie: OwnServer;
  beforeAll(async () => {
    const header = { type: 'Cookie', name: 'session' };
    withCookie = await database.serve({ ...secretOf({ header }), ...anonymous });
  });

  test('is read among other cookies', async () => {
    const cookie = `theme=dark; session=${await sign()}; xsession=no`;
    expect((await withCookie.ask({ cookie })).result).toEqual(['anna']);
  });

  test('is refused when it is wrong, and treated as anonymous when it is missing or empty', async () => {
    expect((await withCookie.ask({ cookie: 'session=wrong' })).result).toEqual([
      'invalid-jwt',
      expect.stringContaining('Could not verify JWT'),
    ]);
    for (const cookie of ['theme=dark', 'session=']) {
      expect((await withCookie.ask({ cookie })).result).toEqual(['ben']);
    }
  });

  test('that is sent twice is refused', async () => {
    const cookie = `session=${await sign()}; session=${await other.sign()}`;
    expect((await withCookie.ask({ cookie })).result).toEqual([
      'invalid-headers',
      'the cookie "session" is sent twice',
    ]);
  });

  test('is required in the cookie, and the header Authorization is ignored', async () => {
    expect((await askWith(withCookie, await sign())).result).toEqual(['ben']);
  });
});

describe('a token in a custom header', () => {
  let custom: OwnServer;
  beforeAll(async () => {
    const header = { type: 'CustomHeader', name: 'X-Session' };
    const origin = { ROWGATE_APP_ORIGINS: 'https://app.example.com' };
    custom = await database.serve({ ...secretOf({ header }), ...origin });
  });

  test('may begin with Bearer', async () => {
    const token = await sign();
    expect((await custom.ask({ 'x-session': token })).result).toEqual(['anna']);
    expect((await custom.ask({ 'x-session': `Bearer ${token}` })).result).toEqual(['anna']);
  });

  test('is required in that header, and the error names the header', async () => {
    expect((await custom.ask()).result).toEqual([
      'invalid-headers',
      "Missing 'x-session' header in JWT authentication mode",
    ]);
  });

  test('is accepted from pages of other origins and in the first message of a WebSocket', async () => {
    const preflight = await fetch(`${custom.url}/v1/graphql`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.example.com',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'x-session',
      },
    });
    expect(preflight.headers.get('access-control-allow-headers')).toContain('x-session');
    const socket = open(custom);
    expect(await socket.init({ 'X-Session': await sign() })).toEqual({ type: 'connection_ack' });
  });
});

describe('several configured token sources', () => {
  const issuers = ['https://one.example', 'https://two.example'];

  test('verify the tokens of several issuers, each with its own key', async () => {
    const [one, two] = issuers;
    const several = await database.serve(secretOf({ issuer: one }, { issuer: two, key: otherKey }));
    const ask = async (token: Promise<string>) => (await askWith(several, await token)).result;
    expect(await ask(sign(goodClaims({ iss: one })))).toEqual(['anna']);
    expect(await ask(other.sign(goodClaims({ iss: two })))).toEqual(['anna']);
    expect(await ask(sign(goodClaims({ iss: two })))).toEqual(invalid);
    expect(await ask(sign(goodClaims({ iss: 'https://three.example' })))).toEqual([
      'invalid-jwt',
      'Could not verify JWT: JWTNotInIssuer',
    ]);
  });

  test('verify the tokens of one issuer with its old and its new key', async () => {
    const rotating = await database.serve(secretOf({}, { key: otherKey }));
    expect((await askWith(rotating, await sign())).result).toEqual(['anna']);
    expect((await askWith(rotating, await other.sign())).result).toEqual(['anna']);
    const third = makeSecretSigner('HS256', 't'.repeat(32));
    expect((await askWith(rotating, await third.sign())).result).toEqual(invalid);
    const expired = await other.sign(goodClaims({ exp: seconds(-5) }));
    expect((await askWith(rotating, expired)).result).toEqual([
      'invalid-jwt',
      'Could not verify JWT: JWTExpired',
    ]);
  });

  test('read tokens in several places, and the first place with a token decides', async () => {
    const header = { type: 'Cookie', name: 'session' };
    const both = await database.serve({ ...secretOf({}, { header, key: otherKey }), ...anonymous });
    const cookie = `session=${await other.sign()}`;
    expect((await both.ask({ cookie })).result).toEqual(['anna']);
    expect((await both.ask({ cookie, authorization: 'Bearer wrong' })).result).toEqual([
      'invalid-jwt',
      expect.any(String),
    ]);
  });
});

test('wrong tokens from one address are limited, and right or expired tokens are not', async () => {
  const limited = await database.serve({ ...secretOf({}), ROWGATE_EXCHANGE_RATE: '2' });
  const wrong = await other.sign();
  for (const _ of [1, 2]) expect((await askWith(limited, wrong)).result).toEqual(invalid);
  expect(
    (
      await fetch(`${limited.url}/v1/graphql`, {
        method: 'POST',
        headers: { authorization: `Bearer ${wrong}` },
      })
    ).status,
  ).toBe(429);
  expect((await askWith(limited, await sign())).result).toEqual(['anna']);
  const expired = await sign(goodClaims({ exp: seconds(-5) }));
  expect((await askWith(limited, expired)).result).toEqual([
    'invalid-jwt',
    'Could not verify JWT: JWTExpired',
  ]);
});

function open({ url }: OwnServer): RawSocket {
  const socket = new RawSocket(url);
  sockets.push(socket);
  return socket;
}

describe('a WebSocket', () => {
  test('acts as the caller of the token in its first message, until the token expires', async () => {
    const socket = open(server);
    const token = await sign(goodClaims({ exp: seconds(2) }));
    expect(await socket.init({ authorization: `Bearer ${token}` })).toEqual({
      type: 'connection_ack',
    });
    expect(await socket.ask('{ note { author } }')).toMatchObject({
      payload: { data: { note: [{ author: 'anna' }] } },
    });
    expect(await socket.ended).toMatchObject({ code: 4403 });
  });

  test('is refused for a wrong token although an anonymous role is configured', async () => {
    const socket = open(server);
    await socket.init({ authorization: `Bearer ${await other.sign()}` });
    expect(await socket.ended).toMatchObject({ code: 4403 });
  });
});

test('variables of a token that no rule reads have no effect, and a missing variable is reported', async () => {
  const without = { ...roles, 'x-hasura-user-id': undefined, 'x-hasura-team': 'blue' };
  expect((await askWith(server, await sign(goodClaims({ [namespace]: without })))).result).toEqual([
    'not-found',
    'missing session variable: "x-gql-user-id"',
  ]);
});
