import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { boundConnections } from '../../../server/http/connections/bound-connections.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Starts a server that accepts at most two connections at a time. */
async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  boundConnections(server, 2);
  server.on('upgrade', (_request, socket) => socket.write('upgraded'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

async function open(port: number, sent = ''): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  closing.push(() => socket.destroy());
  await once(socket, 'connect');
  socket.write(sent);
  return socket;
}

const ended = (socket: Socket) =>
  new Promise<string>((resolve) => socket.resume().once('close', () => resolve('closed')));

const answered = async (socket: Socket) => String((await once(socket, 'data'))[0]).slice(0, 12);

const get = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';
const answer: RequestListener = (_request, response) => void response.end('done');

test('a server with its maximum number of connections closes the one that has been idle for the longest time, to accept a new one', async () => {
  const port = await serve(answer);
  const silent = await open(port);
  const [used, newest] = [await open(port, get), await open(port, get)];
  expect([await answered(used), await ended(silent)]).toEqual(['HTTP/1.1 200', 'closed']);
  expect(await answered(newest)).toBe('HTTP/1.1 200');
});

test('a server with its maximum number of connections closes one whose request is incomplete, to accept a new one', async () => {
  const port = await serve((request, response) => {
    request.resume().once('end', () => response.end('done'));
  });
  const slow = await open(
    port,
    'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n',
  );
  expect(await answered(slow)).toBe('HTTP/1.1 100');
  const others = [await open(port, get), await open(port, get)];
  expect(await ended(slow)).toBe('closed');
  expect(await Promise.all(others.map(answered))).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200']);
});

test('a server whose connections all have a running request or are upgraded closes the new connection', async () => {
  const asked = Promise.withResolvers<() => void>();
  const port = await serve((_request, response) => asked.resolve(() => response.end('done')));
  const upgraded = await open(
    port,
    'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  );
  expect(await answered(upgraded)).toBe('upgraded');
  const busy = await open(port, get);
  const finish = await asked.promise;
  expect(await ended(await open(port))).toBe('closed');
  finish();
  expect(await answered(busy)).toBe('HTTP/1.1 200');
});
