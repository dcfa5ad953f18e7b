import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { createClient } from 'graphql-ws';
import type pg from 'pg';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startServer } from '../../../../server/start/start-server.ts';
import { createDatabase, type TestDatabase } from '../../../support/database.ts';
import { platformMetadata, startTestServer, type TestServer } from '../../../support/http.ts';
import {
  modern,
  older,
  RawSocket,
  type RawSocketOptions,
  refusalOf,
} from './support/raw-socket.ts';

const maxPerAddress = 12;

let database: TestDatabase;
let owner: pg.Client;
let server: TestServer;
const sockets: RawSocket[] = [];
beforeAll(async () => {
  database = await createDatabase({ from: 'applied' });
  owner = await database.connectOwner();
  server = await startTestServer({
    database,
    environment: {
      ROWGATE_MAX_BODY_BYTES: '1048576',
      ROWGATE_MAX_SOCKETS_PER_ADDRESS: String(maxPerAddress),
      ROWGATE_POOL_SIZE: '2',
      ROWGATE_SOCKET_OPERATIONS: '2',
      ROWGATE_SOCKET_INIT_TIMEOUT: '1',
      ROWGATE_SOCKET_KEEP_ALIVE: '1',
    },
  });
});
afterEach(async () => {
  const opened = sockets.splice(0);
  for (const socket of opened) socket.end();
  await Promise.all(opened.map(({ ended }) => ended));
});
afterAll(async () => {
  await server.stop();
  await owner.end();
  await database.drop();
});

function open(options?: RawSocketOptions, url = server.url): RawSocket {
  const socket = new RawSocket(url, options);
  sockets.push(socket);
  return socket;
}

const secret = () => ({ 'X-Gql-Admin-Secret': server.adminSecret });

async function admin(options?: RawSocketOptions): Promise<RawSocket> {
  const socket = open(options);
  await socket.init(secret());
  return socket;
}

/** Locks the table digital_wallet while the function runs, so that every operation on wallets waits. */
async function whileWalletsAreLocked<T>(run: () => Promise<T>): Promise<T> {
  await owner.query('begin; lock table public.digital_wallet in access exclusive mode');
  try {
    return await run();
  } finally {
    await owner.query('rollback');
  }
}

/** Returns the number of statements that wait for the lock on digital_wallet. */
async function waiting(): Promise<number | null> {
  const locks = `select from pg_locks
    where relation = 'public.digital_wallet'::regclass and not granted`;
  return (await owner.query(locks)).rowCount;
}

const wallets = '{ digital_wallet(limit: 1) { __typename } }';
const subscribe = (id: string, query: string) => ({ type: 'subscribe', id, payload: { query } });
const start = (id: string, query: string) => ({ type: 'start', id, payload: { query } });
const typename = { data: { __typename: 'query_root' } };

describe('over a WebSocket, a client of the library graphql-ws', () => {
  const client = () =>
    createClient({
      url: `${server.url.replace('http', 'ws')}/v1/graphql`,
      connectionParams: { headers: secret() },
      retryAttempts: 0,
    });

  async function run(query: string, variables?: Record<string, unknown>): Promise<unknown> {
    const connected = client();
    try {
      return (await connected.iterate({ query, ...(variables && { variables }) }).next()).value;
    } finally {
      await connected.dispose();
    }
  }

  test('runs a query and gets the same answer as over HTTP', async () => {
    const query = 'query ($max: Int) { organization(limit: $max) { id } }';
    const answer = await server.graphql(query, {}, { max: 1 });
    expect(await run(query, { max: 1 })).toEqual(answer.body);
  });

  test('runs a mutation', async () => {
    expect(
      await run('mutation { delete_organization(where: { id: { _in: [] } }) { affected_rows } }'),
    ).toEqual({ data: { delete_organization: { affected_rows: 0 } } });
  });

  test.each([
    ['{ nothing }', 'validation-failed'],
    ['subscription { __schema { __typename } }', 'validation-failed'],
  ])('gets the error of the refused operation %s', async (query, code) => {
    await expect(run(query)).rejects.toMatchObject([{ extensions: { code } }]);
  });
});

test('an operation whose database connection breaks gets the error unavailable, and can be sent again on the same socket', async () => {
  const socket = await admin();
  const superuser = await database.connectSuperuser();
  const failed = await whileWalletsAreLocked(async () => {
    const answer = socket.ask(wallets);
    await expect.poll(waiting).toBe(1);
    await superuser.query(`select pg_terminate_backend(pid, 1000) from pg_locks
      where relation = 'public.digital_wallet'::regclass and not granted`);
    return answer;
  });
  expect(failed).toMatchObject({
    type: 'error',
    payload: [{ extensions: { code: 'unavailable', retryAfter: 1 } }],
  });
  expect(await socket.ask(wallets, 'again')).toMatchObject({ type: 'next', id: 'again' });
});

describe('a socket with the WebSocket protocol graphql-transport-ws', () => {
  test('answers an operation with the messages next and complete', async () => {
    const socket = await admin();
    socket.send(subscribe('a', '{ __typename }'));
    expect([await socket.next(), await socket.next()]).toEqual([
      { id: 'a', type: 'next', payload: typename },
      { id: 'a', type: 'complete' },
    ]);
  });

  test('reports the error of an operation in a list', async () => {
    const socket = await admin();
    const message = "field 'nothing' not found in type: 'query_root'";
    const extensions = { path: '$.selectionSet.nothing', code: 'validation-failed' };
    expect(await socket.ask('{ nothing }', 's')).toEqual({
      ...{ id: 's', type: 'error' },
      payload: [{ message, extensions }],
    });
  });

  test.each(['__proto__', 'constructor', '"\\', '\u2028'])(
    'accepts %j as the id of an operation',
    async (id) => {
      const socket = await admin();
      expect(await socket.ask('{ __typename }', id)).toEqual({
        id,
        type: 'next',
        payload: typename,
      });
    },
  );

  test('accepts the id of an operation that is already answered', async () => {
    const socket = await admin();
    await socket.ask('{ __typename }', 'a');
    expect(await socket.ask('{ __typename }', 'a')).toMatchObject({ id: 'a', type: 'next' });
  });

  test('closes the socket with code 4409 if the id belongs to a running operation', async () => {
    const socket = await admin();
    await whileWalletsAreLocked(async () => {
      socket.send(subscribe('a', wallets));
      socket.send(subscribe('a', wallets));
      expect(await socket.ended).toMatchObject({ code: 4409 });
    });
  });

  test('sends no answer to an operation that the client has cancelled', async () => {
    const socket = await admin();
    await whileWalletsAreLocked(async () => {
      socket.send(subscribe('a', wallets));
      socket.send({ type: 'complete', id: 'a' });
      await socket.ask('{ __typename }', 'b');
    });
    await socket.ask(wallets, 'c');
    expect(new Set(socket.received.map(({ id }) => id))).toEqual(new Set([undefined, 'b', 'c']));
  });

  test.each([
    ['cancels the operation', (socket: RawSocket) => socket.send({ type: 'complete', id: 'a' })],
    ['has closed the socket', (socket: RawSocket) => socket.end()],
  ])('stops the SQL statement of a query when the client %s', async (_how, giveUp) => {
    const socket = await admin();
    await whileWalletsAreLocked(async () => {
      socket.send(subscribe('a', wallets));
      await expect.poll(waiting).toBe(1);
      giveUp(socket);
      await expect.poll(waiting).toBe(0);
    });
  });

  test('runs and commits a mutation that is cancelled after its start', async () => {
    const socket = await admin();
    const add = 'insert_organization_one(object: {name: "at the end"}) { id }';
    const wait = 'delete_digital_wallet(where: {id: {_in: []}}) { affected_rows }';
    await whileWalletsAreLocked(async () => {
      socket.send(subscribe('a', `mutation { ${add} ${wait} }`));
      await expect.poll(waiting).toBe(1);
      socket.send({ type: 'complete', id: 'a' });
      await socket.ask('{ __typename }', 'b');
    });
    const query = '{ organization(where: {name: {_eq: "at the end"}}) { name } }';
    const added = { data: { organization: [{ name: 'at the end' }] } };
    await expect.poll(async () => (await server.graphql(query)).body).toEqual(added);
  });

  test('does not run a mutation that is cancelled while it waits for a database connection', async () => {
    const [busy, socket] = await Promise.all([admin(), admin()]);
    const name = 'taken back';
    await whileWalletsAreLocked(async () => {
      for (const id of ['a', 'b']) busy.send(subscribe(id, wallets));
      busy.send({ type: 'ping' });
      await busy.next();
      socket.send(
        subscribe('c', `mutation { insert_organization_one(object: {name: "${name}"}) { id } }`),
      );
      socket.send({ type: 'complete', id: 'c' });
      socket.send({ type: 'ping' });
      await socket.next();
    });
    const query = `{ organization(where: {name: {_eq: "${name}"}}) { id } }`;
    expect((await socket.ask(query)).payload).toEqual({ data: { organization: [] } });
  });

  test('runs only as many operations of a socket at a time as configured, and further ones afterwards', async () => {
    const [socket, another] = await Promise.all([admin(), admin()]);
    const received = await whileWalletsAreLocked(async () => {
      for (const id of ['a', 'b']) socket.send(subscribe(id, wallets));
      socket.send(subscribe('c', '{ __typename }'));
      await another.ask('{ __typename }');
      return socket.received.length;
    });
    await socket.receives(7);
    // The only message is connection_ack, so the third operation has waited.
    expect(received).toBe(1);
  });

  test('answers a ping with a pong that has the same payload', async () => {
    const socket = await admin();
    socket.send({ type: 'ping', payload: { at: 1 } });
    expect(await socket.next()).toEqual({ type: 'pong', payload: { at: 1 } });
  });

  test('keeps all digits of numbers in variables', async () => {
    const socket = await admin();
    socket.send(
      '{"type":"subscribe","id":"n","payload":{"query":"query ($v: numeric) { digital_wallet(where: {usd_value: {_eq: $v}}) { id } }","variables":{"v":123456789012345678901234567890.5}}}',
    );
    expect(await socket.next()).toEqual({
      id: 'n',
      type: 'next',
      payload: { data: { digital_wallet: [] } },
    });
  });
});

describe('a socket with the older WebSocket protocol graphql-ws', () => {
  const older_ = { protocols: [older] };

  test('answers an operation that arrives before the server has sent connection_ack', async () => {
    const socket = open(older_);
    await once(socket.socket, 'open');
    socket.send({ type: 'connection_init', payload: { headers: secret() } });
    socket.send(start('1', '{ __typename }'));
    const received = [];
    for (let count = 0; count < 4; count += 1) received.push(await socket.next());
    expect(received).toEqual([
      { type: 'connection_ack' },
      { type: 'ka' },
      { id: '1', type: 'data', payload: typename },
      { id: '1', type: 'complete' },
    ]);
  });

  test('reports errors in the form that a GraphQL response over HTTP has', async () => {
    const socket = await admin(older_);
    await socket.next();
    socket.send(start('1', '{ nothing }'));
    const message = "field 'nothing' not found in type: 'query_root'";
    const extensions = { path: '$.selectionSet.nothing', code: 'validation-failed' };
    expect(await socket.next()).toEqual({
      ...{ id: '1', type: 'error' },
      payload: { errors: [{ message, extensions }] },
    });
  });

  test('answers only the last of several operations with the same id, and cancels the others', async () => {
    const socket = await admin(older_);
    await socket.next();
    await whileWalletsAreLocked(async () => {
      socket.send(start('1', wallets));
      socket.send(start('1', '{ __typename }'));
      expect(await socket.next()).toEqual({ id: '1', type: 'data', payload: typename });
    });
  });

  test('stops an operation after the message stop, and is closed after connection_terminate', async () => {
    const socket = await admin(older_);
    await whileWalletsAreLocked(async () => {
      socket.send(start('1', wallets));
      socket.send({ type: 'stop', id: '1' });
      socket.send({ type: 'connection_terminate' });
      expect(await socket.ended).toMatchObject({ code: 1000 });
    });
    expect(socket.received.filter(({ id }) => id === '1')).toEqual([]);
  });

  test('sends keep-alive messages (type ka) repeatedly', async () => {
    const socket = await admin(older_);
    expect([await socket.next(), await socket.next()]).toEqual([{ type: 'ka' }, { type: 'ka' }]);
  });

  test('sends the message connection_error before it is closed', async () => {
    const socket = open(older_);
    await once(socket.socket, 'open');
    socket.send(start('1', '{ __typename }'));
    expect(await socket.next()).toMatchObject({ type: 'connection_error' });
    expect(await socket.ended).toMatchObject({ code: 4401 });
  });
});

/** Returns a connection_init message with the same header in `count` different letter cases. */
function initWith(count: number, value: string): string {
  const names = Array.from({ length: count }, (_, index) =>
    [...index.toString(2)].map((bit) => (bit === '1' ? 'A' : 'a')).join(''),
  );
  const headers = Object.fromEntries(names.map((name) => [`x-gql-${name}`, value]));
  return JSON.stringify({ type: 'connection_init', payload: { headers } });
}

describe('on a WebSocket, the server', () => {
  test.each([
    ['text without JSON', 'hello', 4400],
    ['a list', '[]', 4400],
    ['null', 'null', 4400],
    ['an unknown type', '{"type":"nothing"}', 4400],
    ['a type inside __proto__', '{"__proto__":{"type":"connection_init"}}', 4400],
    ['an id that is not a string', '{"type":"complete","id":1}', 4400],
    ['subscribe without a payload', '{"type":"subscribe","id":"a"}', 4400],
    ['JSON that is nested 100,000 levels deep', '['.repeat(100_000), 4400],
    [
      'a ping that is nested 8,000 levels deep',
      `{"typ\\u0065":"ping","payload":{"a":${'['.repeat(8000)}${']'.repeat(8000)}}}`,
      4400,
    ],
    ['connection_init with too many headers', initWith(2000, ''), 4400],
    ['connection_init that is too large', initWith(20_000, ''), 1009],
    ['connection_init with headers that are too long', initWith(20, 'x'.repeat(1000)), 4400],
    ['an operation before connection_init', JSON.stringify(subscribe('a', '{ __typename }')), 4401],
    ['headers in a list', '{"type":"connection_init","payload":{"headers":[]}}', 4400],
    [
      'a header that is not a string',
      '{"type":"connection_init","payload":{"headers":{"x-gql-role":1}}}',
      4400,
    ],
    [
      'a header with a line break',
      '{"type":"connection_init","payload":{"headers":{"x-gql-role":"a\\nb"}}}',
      4400,
    ],
    ['a message that is too large', `"${'x'.repeat(1_048_576)}"`, 1009],
  ])('closes the socket with an error code after %s', async (_what, message, code) => {
    const socket = open();
    await once(socket.socket, 'open');
    socket.send(message);
    expect(await socket.ended).toMatchObject({ code });
  });

  test('closes the socket after a binary message', async () => {
    const socket = await admin();
    socket.socket.send(Buffer.from('{"type":"ping"}'));
    expect(await socket.ended).toMatchObject({ code: 4400 });
  });

  test('closes the socket after a second connection_init', async () => {
    const socket = await admin();
    expect(await socket.initAgain(secret())).toMatchObject({ code: 4429 });
  });

  test('closes the socket of a client that sends no connection_init in time', async () => {
    expect(await open().ended).toEqual({ code: 4408, reason: 'connection_init is expected first' });
  });

  test('disconnects a client that does not answer pings', async () => {
    const socket = await admin({ autoPong: false });
    expect(await socket.ended).toMatchObject({ code: 1006 });
  });

  test('closes the socket of a client without a subprotocol', async () => {
    expect(await open({ protocols: [] }).ended).toEqual({
      code: 4406,
      reason: 'request the subprotocol graphql-transport-ws or graphql-ws',
    });
  });

  test('answers all of 3,000 operations that one client sends at once', async () => {
    const socket = await admin();
    for (let id = 0; id < 3000; id += 1) socket.send(subscribe(String(id), '{ __typename }'));
    await socket.receives(6001);
    const answered = socket.received.flatMap(({ type, id }) => (type === 'next' ? [id] : []));
    expect(new Set(answered).size).toBe(3000);
  });

  test('answers other clients while one client reads no answers', async () => {
    const [slow, quick] = await Promise.all([admin(), admin()]);
    slow.socket.pause();
    for (let id = 0; id < 500; id += 1) slow.send(subscribe(String(id), '{ nothing }'));
    expect(await quick.ask('{ __typename }')).toMatchObject({ type: 'next' });
  });
});

describe('for HTTP requests with an Upgrade header, the server', () => {
  const upgrade = {
    Connection: 'Upgrade',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==',
  };

  async function ask(path: string, method: string, headers: Record<string, string>, body = '') {
    const sent = request(`${server.url}${path}`, { method, headers }).end(body);
    const [response] = await once(sent, 'response');
    return { status: response.statusCode, body: JSON.parse(await text(response)) };
  }

  test('answers an upgrade request at another path with 404', async () => {
    expect(await ask('/v2/graphql', 'GET', { ...upgrade, Upgrade: 'websocket' })).toMatchObject({
      status: 404,
      body: { code: 'not-found' },
    });
  });

  test('answers a POST with an operation normally if it offers an upgrade to another protocol', async () => {
    const headers = { ...upgrade, Upgrade: 'h2c', 'Content-Type': 'application/json', ...secret() };
    expect(await ask('/v1/graphql', 'POST', headers, '{"query":"{ __typename }"}')).toEqual({
      status: 200,
      body: typename,
    });
  });

  test('answers a POST with an operation normally if it offers an upgrade to a WebSocket', async () => {
    const headers = { ...upgrade, Upgrade: 'websocket', 'Content-Type': 'application/json' };
    const sent = ask(
      '/v1/graphql',
      'POST',
      { ...headers, ...secret() },
      '{"query":"{ __typename }"}',
    );
    expect(await sent).toEqual({ status: 200, body: typename });
  });

  test('answers an invalid WebSocket handshake with status 400 and the reason', async () => {
    const headers = { ...upgrade, Upgrade: 'websocket', 'Sec-WebSocket-Version': '7' };
    expect(await ask('/v1/graphql', 'GET', headers)).toMatchObject({
      status: 400,
      body: {
        code: 'bad-request',
        detail: 'no socket can be opened: Missing or invalid Sec-WebSocket-Version header',
      },
    });
  });

  test('answers 429 when a client address already has as many sockets as configured', async () => {
    const all = Array.from({ length: maxPerAddress }, () => open());
    await Promise.all(all.map(({ socket }) => once(socket, 'open')));
    expect(await refusalOf(open())).toBe('429 too-many-sockets');
    all[0]?.end();
    await all[0]?.ended;
    const next = open();
    await once(next.socket, 'open');
  });

  test('answers the running operations of sockets before it stops, runs no new ones, and closes the sockets with code 1001', async () => {
    const stopping = await startServer(
      server.config,
      { metadata: platformMetadata, parts: new Set(['graphql']) },
      pino({ level: 'silent' }),
    );
    const [busy, idle] = [open({}, stopping.url), open({}, stopping.url)];
    await Promise.all([busy, idle].map((socket) => socket.init(secret())));
    const stopped = await whileWalletsAreLocked(async () => {
      busy.send(subscribe('runs', wallets));
      busy.send({ type: 'ping' });
      await busy.next();
      const stop = stopping.stop();
      expect(await idle.ended).toEqual({ code: 1001, reason: 'the server stops' });
      busy.send(subscribe('late', '{ __typename }'));
      return { stop };
    });
    expect(await busy.ended).toEqual({ code: 1001, reason: 'the server stops' });
    await stopped.stop;
    expect(busy.received.filter(({ type }) => type === 'next')).toMatchObject([{ id: 'runs' }]);
  });
});

test('when a client offers several known WebSocket subprotocols, the server uses the first of them', async () => {
  const socket = await admin({ protocols: [older, modern] });
  expect(socket.socket.protocol).toBe(older);
});
