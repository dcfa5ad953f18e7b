import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../support/http.ts';
import { RawSocket, refusalOf } from './support/raw-socket.ts';

const messageBytes = 256 * 1024;

let database: TestDatabase;
let server: TestServer;
const sockets: RawSocket[] = [];
const connections: Socket[] = [];
beforeAll(async () => {
  database = await createDatabase({ from: 'applied' });
  server = await startTestServer({
    database,
    environment: {
      ROWGATE_MAX_BODY_BYTES: String(messageBytes),
      ROWGATE_MAX_SOCKETS: '3',
      ROWGATE_SOCKET_BACKLOG_BYTES: String(1024 * 1024),
      // Long timeouts, so that only the tested limits close a socket.
      ROWGATE_SOCKET_INIT_TIMEOUT: '3600',
      ROWGATE_SOCKET_KEEP_ALIVE: '3600',
    },
  });
});
afterEach(async () => {
  const opened = sockets.splice(0);
  for (const socket of opened) socket.end();
  for (const connection of connections.splice(0)) connection.destroy();
  await Promise.all(opened.map(({ ended }) => ended));
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

async function open(): Promise<RawSocket> {
  const socket = new RawSocket(server.url);
  sockets.push(socket);
  await once(socket.socket, 'open');
  return socket;
}

async function initialized(): Promise<RawSocket> {
  const socket = new RawSocket(server.url);
  sockets.push(socket);
  await socket.init({ 'X-Gql-Admin-Secret': server.adminSecret });
  return socket;
}

/** Opens a WebSocket whose frames the test writes byte by byte. `ended` resolves when the server has closed it. */
async function byHand(): Promise<{
  readonly connection: Socket;
  readonly ended: Promise<unknown>;
}> {
  const connection = connect(Number(new URL(server.url).port), '127.0.0.1');
  connections.push(connection);
  connection.on('error', () => {});
  const ended = new Promise((resolve) => connection.once('close', resolve));
  const lines = [
    'GET /v1/graphql HTTP/1.1',
    'Host: localhost',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    'Sec-WebSocket-Protocol: graphql-transport-ws',
  ];
  connection.write(`${lines.join('\r\n')}\r\n\r\n`);
  await once(connection, 'data');
  connection.resume();
  return { connection, ended };
}

const text = 0x01;
const more = 0x00;
const last = 0x80;
const pong = 0x8a;

/** Returns a frame with up to 125 bytes of payload and a mask of zeros. */
function frame(first: number, payload = ''): Buffer {
  return Buffer.concat([
    Buffer.from([first, 0x80 | payload.length, 0, 0, 0, 0]),
    Buffer.from(payload),
  ]);
}

/** Many pong frames, with a payload of 100 KiB together. */
const pongs = Buffer.concat(Array.from({ length: 800 }, () => frame(pong, 'x'.repeat(122))));

const init = () =>
  JSON.stringify({
    type: 'connection_init',
    payload: { headers: { 'X-Gql-Admin-Secret': server.adminSecret } },
  });

/** Sends `connection_init` in short fragments, and waits for the answer. */
async function initialize(connection: Socket): Promise<void> {
  const parts = init().match(/.{1,100}/g) ?? [];
  const frames = parts.map((part, index) => frame(index === 0 ? text : more, part));
  connection.write(Buffer.concat([...frames, frame(last | more)]));
  await once(connection, 'data');
}

describe('on a WebSocket before connection_init, the server', () => {
  test('closes a socket with code 1009 for a message of more than 64 KiB', async () => {
    const socket = await open();
    socket.send({ type: 'connection_init', payload: { padding: 'x'.repeat(200 * 1024) } });
    expect(await socket.ended).toEqual({ code: 1009, reason: 'the message is too large' });
  });

  test('closes a socket that begins a message in fragments and then sends only pongs, which keeps the message in memory', async () => {
    const { connection, ended } = await byHand();
    connection.write(Buffer.concat([frame(text, '{'), pongs, pongs, pongs]));
    await ended;
  });

  test('closes a socket that sends thousands of pongs instead of connection_init', async () => {
    const socket = await open();
    for (let index = 0; index < 2000; index += 1) {
      socket.send({ type: 'pong', payload: { padding: 'x'.repeat(100) } });
    }
    expect(await socket.ended).toEqual({ code: 1009, reason: 'the message is too large' });
  });

  test('closes the oldest socket without connection_init to make room for another client at the limit of sockets', async () => {
    const [oldest, newer] = [await open(), await open()];
    await initialized();
    await open();
    expect(await oldest.ended).toMatchObject({ code: 1006 });
    expect(await newer.init({ 'X-Gql-Admin-Secret': server.adminSecret })).toEqual({
      type: 'connection_ack',
    });
  });
});

describe('on a WebSocket after connection_init, the server', () => {
  test('closes a socket that begins a message in fragments and then sends only pongs, which would keep the message in memory', async () => {
    await Promise.all([initialized(), initialized(), initialized()]);
    const refused = new RawSocket(server.url);
    sockets.push(refused);
    expect(await refusalOf(refused)).toBe('503 too-many-sockets');
  });

  test('reads a message as large as a request may be, although it arrives in 2000 fragments with pongs between them', async () => {
    const { connection } = await byHand();
    await initialize(connection);
    const padding = Array.from({ length: 2000 }, () => frame(more, ' '.repeat(100)));
    const rest = frame(last | more, '"type":"ping"}');
    connection.write(Buffer.concat([frame(text, '{'), ...padding, pongs, rest]));
    const received: Buffer[] = [];
    connection.on('data', (data: Buffer) => received.push(data));
    const isAnswered = () => Buffer.concat(received).includes('{"type":"pong"}');
    while (!isAnswered()) await once(connection, 'data');
  });

  test('closes a socket that begins a message in fragments and then sends only pongs, which would keep the message in memory', async () => {
    const { connection, ended } = await byHand();
    await initialize(connection);
    connection.write(Buffer.concat([frame(text, '{'), ...Array.from({ length: 10 }, () => pongs)]));
    await ended;
  });

  test('closes a socket when the unfinished messages of all clients together exceed the memory limit', async () => {
    const all = await Promise.all([byHand(), byHand(), byHand()]);
    for (const { connection } of all) {
      await initialize(connection);
      connection.write(Buffer.concat([frame(text, '{'), pongs, pongs, pongs, pongs, pongs]));
    }
    await Promise.race(all.map(({ ended }) => ended));
  });
});
