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

const mostPerAddress = 12;

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
      ROWGATE_MAX_SOCKETS_PER_ADDRESS: String(mostPerAddress),
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
  await socket.introduce(secret());
  return socket;
}

/** While something runs, whatever reads wallets waits. */
async function whileWalletsAreLocked<T>(run: () => Promise<T>): Promise<T> {
  await owner.query('begin; lock table public.digital_wallet in access exclusive mode');
  try {
    return await run();
  } finally {
    await owner.query('rollback');
  }
}

/** How many statements wait for the wallets. */
async function waiting(): Promise<number | null> {
  const locks = `select from pg_locks
    where relation = 'public.digital_wallet'::regclass and not granted`;
  return (await owner.query(locks)).rowCount;
}

const wallets = '{ digital_wallet(limit: 1) { __typename } }';
const subscribe = (id: string, query: string) => ({ type: 'subscribe', id, payload: { query } });
const start = (id: string, query: string) => ({ type: 'start', id, payload: { query } });
const typename = { data: { __typename: 'query_root' } };

describe('the library of graphql-ws', () => {
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

  test('runs queries', async () => {
    const query = 'query ($most: Int) { organization(limit: $most) { id } }';
    const answer = await server.graphql(query, {}, { most: 1 });
    expect(await run(query, { most: 1 })).toEqual(answer.body);
  });

  test('runs mutations', async () => {
    expect(
      await run('mutation { delete_organization(where: { id: { _in: [] } }) { affected_rows } }'),
    ).toEqual({ data: { delete_organization: { affected_rows: 0 } } });
  });

  test.each([
    ['{ nothing }', 'validation-failed'],
    ['subscription { organization { id } }', 'not-supported'],
  ])('is told why %s is refused', async (query, code) => {
    await expect(run(query)).rejects.toMatchObject([{ extensions: { code } }]);
  });
});

test('an operation that the database is lost to can be sent again on the same socket', async () => {
  const socket = await admin();
  const superuser = await database.connectSuperuser();
  const told = await whileWalletsAreLocked(async () => {
    const asked = socket.ask(wallets);
    await expect.poll(waiting).toBe(1);
    await superuser.query(`select pg_terminate_backend(pid, 1000) from pg_locks
      where relation = 'public.digital_wallet'::regclass and not granted`);
    return asked;
  });
  expect(told).toMatchObject({
    type: 'error',
    payload: [{ extensions: { code: 'unavailable', retryAfter: 1 } }],
  });
  expect(await socket.ask(wallets, 'again')).toMatchObject({ type: 'next', id: 'again' });
});

describe('the protocol of graphql-ws', () => {
  test('answers an operation and completes it', async () => {
    const socket = await admin();
    socket.say(subscribe('a', '{ __typename }'));
    expect([await socket.next(), await socket.next()]).toEqual([
      { id: 'a', type: 'next', payload: typename },
      { id: 'a', type: 'complete' },
    ]);
  });

  test('says of subscriptions that they are not served', async () => {
    const socket = await admin();
    expect(await socket.ask('subscription { organization { id } }', 's')).toEqual({
      id: 's',
      type: 'error',
      payload: [
        {
          message: 'subscriptions are not served',
          extensions: { path: '$', code: 'not-supported' },
        },
      ],
    });
  });

  test.each(['__proto__', 'constructor', '"\\', '\u2028'])('takes the id %j', async (id) => {
    const socket = await admin();
    expect(await socket.ask('{ __typename }', id)).toEqual({ id, type: 'next', payload: typename });
  });

  test('takes an id again that was answered', async () => {
    const socket = await admin();
    await socket.ask('{ __typename }', 'a');
    expect(await socket.ask('{ __typename }', 'a')).toMatchObject({ id: 'a', type: 'next' });
  });

  test('ends where an id is of an operation that runs', async () => {
    const socket = await admin();
    await whileWalletsAreLocked(async () => {
      socket.say(subscribe('a', wallets));
      socket.say(subscribe('a', wallets));
      expect(await socket.ended).toMatchObject({ code: 4409 });
    });
  });

  test('does not answer what was taken back', async () => {
    const socket = await admin();
    await whileWalletsAreLocked(async () => {
      socket.say(subscribe('a', wallets));
      socket.say({ type: 'complete', id: 'a' });
      await socket.ask('{ __typename }', 'b');
    });
    await socket.ask(wallets, 'c');
    expect(new Set(socket.heard.map(({ id }) => id))).toEqual(new Set([undefined, 'b', 'c']));
  });

  test.each([
    ['takes it back', (socket: RawSocket) => socket.say({ type: 'complete', id: 'a' })],
    ['has closed the socket', (socket: RawSocket) => socket.end()],
  ])('stops the statement of a query when the client %s', async (_how, giveUp) => {
    const socket = await admin();
    await whileWalletsAreLocked(async () => {
      socket.say(subscribe('a', wallets));
      await expect.poll(waiting).toBe(1);
      giveUp(socket);
      await expect.poll(waiting).toBe(0);
    });
  });

  test('runs a mutation that has begun to its end when it is taken back', async () => {
    const socket = await admin();
    const add = 'insert_organization_one(object: {name: "at the end"}) { id }';
    const wait = 'delete_digital_wallet(where: {id: {_in: []}}) { affected_rows }';
    await whileWalletsAreLocked(async () => {
      socket.say(subscribe('a', `mutation { ${add} ${wait} }`));
      await expect.poll(waiting).toBe(1);
      socket.say({ type: 'complete', id: 'a' });
      await socket.ask('{ __typename }', 'b');
    });
    const query = '{ organization(where: {name: {_eq: "at the end"}}) { name } }';
    const added = { data: { organization: [{ name: 'at the end' }] } };
    await expect.poll(async () => (await server.graphql(query)).body).toEqual(added);
  });

  test('does not run what was taken back while it waited for a connection', async () => {
    const [busy, socket] = await Promise.all([admin(), admin()]);
    const name = 'taken back';
    await whileWalletsAreLocked(async () => {
      for (const id of ['a', 'b']) busy.say(subscribe(id, wallets));
      busy.say({ type: 'ping' });
      await busy.next();
      socket.say(
        subscribe('c', `mutation { insert_organization_one(object: {name: "${name}"}) { id } }`),
      );
      socket.say({ type: 'complete', id: 'c' });
      socket.say({ type: 'ping' });
      await socket.next();
    });
    const query = `{ organization(where: {name: {_eq: "${name}"}}) { id } }`;
    expect((await socket.ask(query)).payload).toEqual({ data: { organization: [] } });
  });

  test('runs so many operations at a time and others after them', async () => {
    const [socket, another] = await Promise.all([admin(), admin()]);
    const heard = await whileWalletsAreLocked(async () => {
      for (const id of ['a', 'b']) socket.say(subscribe(id, wallets));
      socket.say(subscribe('c', '{ __typename }'));
      await another.ask('{ __typename }');
      return socket.heard.length;
    });
    await socket.hears(7);
    // Nothing but the acknowledgement.
    expect(heard).toBe(1);
  });

  test('answers pings with what they hold', async () => {
    const socket = await admin();
    socket.say({ type: 'ping', payload: { at: 1 } });
    expect(await socket.next()).toEqual({ type: 'pong', payload: { at: 1 } });
  });

  test('keeps numbers of variables to the last digit', async () => {
    const socket = await admin();
    socket.say(
      '{"type":"subscribe","id":"n","payload":{"query":"query ($v: numeric) { digital_wallet(where: {usd_value: {_eq: $v}}) { id } }","variables":{"v":123456789012345678901234567890.5}}}',
    );
    expect(await socket.next()).toEqual({
      id: 'n',
      type: 'next',
      payload: { data: { digital_wallet: [] } },
    });
  });
});

describe('the older protocol', () => {
  const older_ = { protocols: [older] };

  test('answers what came in a hurry after it has let the client in', async () => {
    const socket = open(older_);
    await once(socket.socket, 'open');
    socket.say({ type: 'connection_init', payload: { headers: secret() } });
    socket.say(start('1', '{ __typename }'));
    const heard = [];
    for (let count = 0; count < 4; count += 1) heard.push(await socket.next());
    expect(heard).toEqual([
      { type: 'connection_ack' },
      { type: 'ka' },
      { id: '1', type: 'data', payload: typename },
      { id: '1', type: 'complete' },
    ]);
  });

  test('tells errors as a response does', async () => {
    const socket = await admin(older_);
    await socket.next();
    socket.say(start('1', 'subscription { organization { id } }'));
    const message = 'subscriptions are not served';
    expect(await socket.next()).toEqual({
      id: '1',
      type: 'error',
      payload: { errors: [{ message, extensions: { path: '$', code: 'not-supported' } }] },
    });
  });

  test('answers the last of several with one id', async () => {
    const socket = await admin(older_);
    await socket.next();
    await whileWalletsAreLocked(async () => {
      socket.say(start('1', wallets));
      socket.say(start('1', '{ __typename }'));
      expect(await socket.next()).toEqual({ id: '1', type: 'data', payload: typename });
    });
  });

  test('stops an operation, and ends when it is told', async () => {
    const socket = await admin(older_);
    await whileWalletsAreLocked(async () => {
      socket.say(start('1', wallets));
      socket.say({ type: 'stop', id: '1' });
      socket.say({ type: 'connection_terminate' });
      expect(await socket.ended).toMatchObject({ code: 1000 });
    });
    expect(socket.heard.filter(({ id }) => id === '1')).toEqual([]);
  });

  test('is said to be alive from time to time', async () => {
    const socket = await admin(older_);
    expect([await socket.next(), await socket.next()]).toEqual([{ type: 'ka' }, { type: 'ka' }]);
  });

  test('says what was wrong before it ends', async () => {
    const socket = open(older_);
    await once(socket.socket, 'open');
    socket.say(start('1', '{ __typename }'));
    expect(await socket.next()).toMatchObject({ type: 'connection_error' });
    expect(await socket.ended).toMatchObject({ code: 4401 });
  });
});

/** An introduction with one header in so many spellings. */
function introduction(count: number, value: string): string {
  const names = Array.from({ length: count }, (_, index) =>
    [...index.toString(2)].map((bit) => (bit === '1' ? 'A' : 'a')).join(''),
  );
  const headers = Object.fromEntries(names.map((name) => [`x-gql-${name}`, value]));
  return JSON.stringify({ type: 'connection_init', payload: { headers } });
}

describe('a client that means harm', () => {
  test.each([
    ['no JSON', 'hello', 4400],
    ['no object', '[]', 4400],
    ['null', 'null', 4400],
    ['an unknown type', '{"type":"nothing"}', 4400],
    ['a type of a prototype', '{"__proto__":{"type":"connection_init"}}', 4400],
    ['an id that is no text', '{"type":"complete","id":1}', 4400],
    ['no payload', '{"type":"subscribe","id":"a"}', 4400],
    ['what is nested 100,000 deep', '['.repeat(100_000), 4400],
    [
      'a ping that is nested 8,000 deep',
      `{"typ\\u0065":"ping","payload":{"a":${'['.repeat(8000)}${']'.repeat(8000)}}}`,
      4400,
    ],
    ['more headers than requests have', introduction(2000, ''), 4400],
    ['a large introduction', introduction(20_000, ''), 1009],
    ['headers that are too long', introduction(20, 'x'.repeat(1000)), 4400],
    [
      'an operation before it has introduced itself',
      JSON.stringify(subscribe('a', '{ __typename }')),
      4401,
    ],
    ['headers that are none', '{"type":"connection_init","payload":{"headers":[]}}', 4400],
    [
      'a header that is no text',
      '{"type":"connection_init","payload":{"headers":{"x-gql-role":1}}}',
      4400,
    ],
    [
      'a header of two lines',
      '{"type":"connection_init","payload":{"headers":{"x-gql-role":"a\\nb"}}}',
      4400,
    ],
    ['too much', `"${'x'.repeat(1_048_576)}"`, 1009],
  ])('is let go when it says %s', async (_what, message, code) => {
    const socket = open();
    await once(socket.socket, 'open');
    socket.say(message);
    expect(await socket.ended).toMatchObject({ code });
  });

  test('is let go when it says bytes', async () => {
    const socket = await admin();
    socket.socket.send(Buffer.from('{"type":"ping"}'));
    expect(await socket.ended).toMatchObject({ code: 4400 });
  });

  test('is let go when it introduces itself twice', async () => {
    const socket = await admin();
    expect(await socket.introduceAgain(secret())).toMatchObject({ code: 4429 });
  });

  test('is let go when it does not say who it is in time', async () => {
    expect(await open().ended).toEqual({ code: 4408, reason: 'connection_init is expected first' });
  });

  test('is cut off when it is not there any more', async () => {
    const socket = await admin({ autoPong: false });
    expect(await socket.ended).toMatchObject({ code: 1006 });
  });

  test('is let go when it speaks no protocol', async () => {
    expect(await open({ protocols: [] }).ended).toEqual({
      code: 4406,
      reason: 'ask for the subprotocol graphql-transport-ws or graphql-ws',
    });
  });

  test('has 3,000 operations answered', async () => {
    const socket = await admin();
    for (let id = 0; id < 3000; id += 1) socket.say(subscribe(String(id), '{ __typename }'));
    await socket.hears(6001);
    const answered = socket.heard.flatMap(({ type, id }) => (type === 'next' ? [id] : []));
    expect(new Set(answered).size).toBe(3000);
  });

  test('that takes no answers keeps others waiting for nothing', async () => {
    const [slow, quick] = await Promise.all([admin(), admin()]);
    slow.socket.pause();
    for (let id = 0; id < 500; id += 1) slow.say(subscribe(String(id), '{ nothing }'));
    expect(await quick.ask('{ __typename }')).toMatchObject({ type: 'next' });
  });
});

describe('a server', () => {
  const upgrade = {
    Connection: 'Upgrade',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==',
  };

  async function ask(path: string, method: string, headers: Record<string, string>, body = '') {
    const asked = request(`${server.url}${path}`, { method, headers }).end(body);
    const [response] = await once(asked, 'response');
    return { status: response.statusCode, body: JSON.parse(await text(response)) };
  }

  test('has nothing at other paths', async () => {
    expect(await ask('/v2/graphql', 'GET', { ...upgrade, Upgrade: 'websocket' })).toMatchObject({
      status: 404,
      body: { code: 'not-found' },
    });
  });

  test('answers requests that would rather speak another protocol', async () => {
    const headers = { ...upgrade, Upgrade: 'h2c', 'Content-Type': 'application/json', ...secret() };
    expect(await ask('/v1/graphql', 'POST', headers, '{"query":"{ __typename }"}')).toEqual({
      status: 200,
      body: typename,
    });
  });

  test('answers what is posted, whatever it would rather speak', async () => {
    const headers = { ...upgrade, Upgrade: 'websocket', 'Content-Type': 'application/json' };
    const asked = ask(
      '/v1/graphql',
      'POST',
      { ...headers, ...secret() },
      '{"query":"{ __typename }"}',
    );
    expect(await asked).toEqual({ status: 200, body: typename });
  });

  test('says what is wrong with a handshake', async () => {
    const headers = { ...upgrade, Upgrade: 'websocket', 'Sec-WebSocket-Version': '7' };
    expect(await ask('/v1/graphql', 'GET', headers)).toMatchObject({
      status: 400,
      body: {
        code: 'bad-request',
        detail: 'no socket can be opened: Missing or invalid Sec-WebSocket-Version header',
      },
    });
  });

  test('opens so many sockets for one address and no more', async () => {
    const most = Array.from({ length: mostPerAddress }, () => open());
    await Promise.all(most.map(({ socket }) => once(socket, 'open')));
    expect(await refusalOf(open())).toBe('429 too-many-sockets');
    most[0]?.end();
    await most[0]?.ended;
    const next = open();
    await once(next.socket, 'open');
  });

  test('answers what runs when it stops, and begins nothing more', async () => {
    const stopping = await startServer(
      server.config,
      { metadata: platformMetadata, parts: new Set(['graphql']) },
      pino({ level: 'silent' }),
    );
    const [busy, idle] = [open({}, stopping.url), open({}, stopping.url)];
    await Promise.all([busy, idle].map((socket) => socket.introduce(secret())));
    const stopped = await whileWalletsAreLocked(async () => {
      busy.say(subscribe('runs', wallets));
      busy.say({ type: 'ping' });
      await busy.next();
      const stop = stopping.stop();
      expect(await idle.ended).toEqual({ code: 1001, reason: 'the server stops' });
      busy.say(subscribe('late', '{ __typename }'));
      return { stop };
    });
    expect(await busy.ended).toEqual({ code: 1001, reason: 'the server stops' });
    await stopped.stop;
    expect(busy.heard.filter(({ type }) => type === 'next')).toMatchObject([{ id: 'runs' }]);
  });
});

test('speaks the first protocol of those that a client offers', async () => {
  const socket = await admin({ protocols: [older, modern] });
  expect(socket.socket.protocol).toBe(older);
});
