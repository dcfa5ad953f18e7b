import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json as readJson } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { RawSocket } from '../../graphql/websocket/support/raw-socket.ts';
import { makeSecretSigner } from '../jwt/support.ts';
import {
  adminSecret,
  createOwnDatabase,
  type OwnDatabase,
  type OwnServer,
} from '../support/own-database.ts';

interface Received {
  readonly method: string | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

const received: Received[] = [];
const sockets: RawSocket[] = [];
const anna = { 'X-Hasura-Role': 'reader', 'X-Hasura-User-Id': 'anna' };
let answer: RequestListener;
let database: OwnDatabase;
let url: string;
let byGet: OwnServer;

const saying =
  (value: unknown, status = 200): RequestListener =>
  (_request, response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify(value));

const hook = createServer(async (request, response) => {
  const { method, headers } = request;
  received.push({ method, headers, body: await readJson(request).catch(() => undefined) });
  answer(request, response);
});

beforeAll(async () => {
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/hook`;
  database = await createOwnDatabase();
  byGet = await database.serve({ ROWGATE_AUTH_HOOK: url });
});
afterEach(() => {
  received.length = 0;
  for (const socket of sockets.splice(0)) socket.end();
});
afterAll(async () => {
  await database.drop();
  hook.closeAllConnections();
  hook.close();
});

describe('a cookie in a request without any other credential', () => {
  test('is not passed to the webhook when a page of another site sends it', async () => {
    answer = saying(anna);
    const { result } = await byGet.ask({ cookie: 'sid=1', origin: 'https://foreign.example' });
    expect(result).toEqual([
      'access-denied',
      'a page of https://foreign.example may not call with the cookie of a user',
    ]);
    expect(received).toEqual([]);
  });

  test('is passed to the webhook when a program sends it', async () => {
    answer = saying(anna);
    expect((await byGet.ask({ cookie: 'sid=1' })).result).toEqual(['anna']);
    expect(received).toHaveLength(1);
  });
});

const outage = {
  status: 503,
  result: ['unavailable', 'callers cannot be identified at the moment'],
};
const refusal = ['access-denied', 'Authentication hook unauthorized this request'];

test('a GET to the webhook repeats the headers of the client, except those about the connection and the body', async () => {
  answer = saying(anna);
  const headers = { cookie: 'a=b', 'x-token': 'abc' };
  const sent = { ...headers, authorization: 'Bearer abc', origin: 'http://x.example', dnt: '1' };
  expect((await byGet.ask(sent)).result).toEqual(['anna']);
  const [{ method, headers: given } = {}] = received;
  expect(method).toBe('GET');
  expect(given).toMatchObject({ ...headers, authorization: 'Bearer abc' });
  expect(given).not.toHaveProperty('content-type');
  expect(given).not.toHaveProperty('origin');
  expect(given).not.toHaveProperty('dnt');
});

test('a POST to the webhook contains the headers of the client and its GraphQL request', async () => {
  answer = saying(anna);
  const byPost = await database.serve({ ROWGATE_AUTH_HOOK: url, ROWGATE_AUTH_HOOK_MODE: 'POST' });
  const query = '{ note { author } }';
  expect((await byPost.ask({ authorization: 'Bearer abc' }, query)).result).toEqual(['anna']);
  expect(received).toMatchObject([
    {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: { headers: { authorization: 'Bearer abc' }, request: { query } },
    },
  ]);
  expect(received[0]?.headers).not.toHaveProperty('authorization');
});

describe('the answer of the webhook', () => {
  test.each([
    [{ 'X-Gql-Role': 'editor' }, ['anna', 'ben']],
    [{ 'x-hasura-role': 'reader', 'x-hasura-user-id': 'ben' }, ['ben']],
    [{ 'X-Hasura-Role': 'admin' }, ['access-denied', 'the role "admin" requires the admin secret']],
    [{ 'X-Hasura-Role': 'nobody' }, ['validation-failed', 'role "nobody" does not exist']],
    [{ 'X-Hasura-Role': 'reader' }, ['not-found', 'missing session variable: "x-gql-user-id"']],
  ])('%j determines the role and the session variables', async (value, result) => {
    answer = saying(value);
    expect((await byGet.ask()).result).toEqual(result);
  });

  test('is the only source: headers of the client set no role and no variables', async () => {
    answer = saying(anna);
    const headers = { 'x-gql-role': 'editor', 'x-gql-user-id': 'ben' };
    expect((await byGet.ask(headers)).result).toEqual(['anna']);
  });

  test('sets only session variables that have the configured prefix', async () => {
    const own = await database.serve({
      ROWGATE_AUTH_HOOK: url,
      ROWGATE_AUTH_HOOK_CLAIMS_PREFIX: 'X-App-',
    });
    answer = saying({ 'X-App-Role': 'editor', ...anna });
    expect((await own.ask()).result).toEqual(['anna', 'ben']);
    answer = saying(anna);
    expect(await own.ask()).toEqual(outage);
  });

  test('with status 401 refuses the caller', async () => {
    answer = saying({ message: 'no' }, 401);
    expect(await byGet.ask({ authorization: 'Bearer abc' })).toEqual({
      status: 200,
      result: refusal,
    });
  });

  test.each([
    ['another status', saying(anna, 500)],
    ['status 403', saying(anna, 403)],
    ['a list', saying([anna])],
    ['no role', saying({ 'X-Hasura-User-Id': 'anna' })],
    ['a value that is no text', saying({ ...anna, 'X-Hasura-User-Id': 7 })],
    ['a role twice', saying({ ...anna, 'x-hasura-role': 'editor' })],
    ['a wrong date', saying({ ...anna, Expires: 'soon' })],
    [
      'a redirect',
      ((_request, response) =>
        void response.writeHead(302, { location: '/other' }).end()) as RequestListener,
    ],
    ['too many bytes', saying({ ...anna, more: 'x'.repeat(300_000) })],
  ])('with %s is treated as an outage, and the log contains the reason', async (_name, given) => {
    answer = given;
    expect(await byGet.ask()).toEqual(outage);
    expect(byGet.log.text).toContain('the authentication webhook failed');
  });
});

test('a webhook that does not answer in time is treated as an outage', async () => {
  answer = () => {};
  const hasty = await database.serve({
    ROWGATE_AUTH_HOOK: url,
    ROWGATE_AUTH_HOOK_TIMEOUT_MS: '100',
  });
  expect(await hasty.ask()).toEqual(outage);
});

test('the admin secret is checked before the webhook is called', async () => {
  answer = saying(anna);
  expect((await byGet.ask({ 'x-gql-admin-secret': adminSecret })).result).toEqual(['anna', 'ben']);
  expect((await byGet.ask({ 'x-gql-admin-secret': 'wrong' })).result).toEqual([
    'access-denied',
    'invalid x-gql-admin-secret',
  ]);
  expect(received).toEqual([]);
});

describe('when an anonymous role is configured,', () => {
  let both: OwnServer;
  beforeAll(async () => {
    both = await database.serve({
      ROWGATE_AUTH_HOOK: url,
      ROWGATE_AUTH_HOOK_CREDENTIAL_HEADERS: 'Authorization, X-Api-Key',
      ROWGATE_UNAUTHORIZED_ROLE: 'visitor',
    });
  });

  test('the webhook is called for requests with a credential, and a refused credential does not make them anonymous', async () => {
    answer = saying({}, 401);
    for (const headers of [{ authorization: 'x' }, { 'x-api-key': 'x' }]) {
      expect((await both.ask(headers)).result).toEqual(refusal);
    }
    answer = saying({}, 500);
    expect(await both.ask({ authorization: 'x' })).toEqual(outage);
  });

  test('requests without a credential have the anonymous role, and the webhook is not called', async () => {
    expect((await both.ask({ 'x-other': 'x' })).result).toEqual(['ben']);
    expect(received).toEqual([]);
  });
});

test('tokens are verified before the webhook is called, and requests with wrong tokens never reach the webhook', async () => {
  const key = 'k'.repeat(32);
  const header = { type: 'CustomHeader', name: 'X-Session' };
  const both = await database.serve({
    ROWGATE_AUTH_HOOK: url,
    ROWGATE_JWT_SECRET: JSON.stringify({ type: 'HS256', key, header }),
  });
  answer = saying({ 'X-Hasura-Role': 'editor' });
  expect(
    (await both.ask({ 'x-session': await makeSecretSigner('HS256', key).sign() })).result,
  ).toEqual(['anna']);
  expect((await both.ask({ 'x-session': 'wrong' })).result).toEqual([
    'invalid-jwt',
    expect.any(String),
  ]);
  expect(received).toEqual([]);
  expect((await both.ask()).result).toEqual(['anna', 'ben']);
});

describe('a WebSocket whose caller the webhook identifies', () => {
  const open = (): RawSocket => {
    const socket = new RawSocket(byGet.url);
    sockets.push(socket);
    return socket;
  };
  const headers = { authorization: 'Bearer abc' };

  test.each([
    { 'Cache-Control': 'max-age=1' },
    { Expires: new Date(Date.now() + 1000).toUTCString() },
    { 'Cache-Control': 'private, max-age=1', Expires: 'Fri, 01 Jan 2100 00:00:00 GMT' },
  ])('ends when the identity expires by %j', async (expiry) => {
    answer = saying({ ...anna, ...expiry });
    const socket = open();
    await socket.init(headers);
    expect(await socket.ended).toMatchObject({
      code: 4403,
      reason: expect.stringContaining('expired'),
    });
  });

  test('ends when the webhook refuses a later operation', async () => {
    answer = saying(anna);
    const socket = open();
    expect(await socket.init(headers)).toEqual({ type: 'connection_ack' });
    expect(await socket.ask('{ note { author } }')).toMatchObject({
      payload: { data: { note: [{ author: 'anna' }] } },
    });
    answer = saying({}, 401);
    await socket.ask('{ note { author } }');
    expect(await socket.ended).toMatchObject({ code: 4403 });
  });

  test('receives the advice to connect again during an outage', async () => {
    answer = saying({}, 500);
    const socket = open();
    await socket.init(headers);
    expect(await socket.ended).toMatchObject({ code: 1013 });
  });
});
