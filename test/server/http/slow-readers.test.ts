import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { cutSlowReaders } from '../../../server/http/connections/slow-readers.ts';

/**
 * The answer is larger than the socket buffers of the kernel. The server can therefore not finish
 * sending it to a client that reads nothing.
 */
const large = Buffer.alloc(24 * 1024 * 1024, 'x');

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function serve(listener: RequestListener, bytesPerMs: number): Promise<number> {
  const server = createServer(listener);
  cutSlowReaders(server, { graceMs: 100, bytesPerMs });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Connects a client that sends a request and reads nothing of the answer. */
function ask(port: number) {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  closing.push(() => socket.destroy());
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  return socket;
}

test('the server closes the connection of a client that reads nothing of its answer', async () => {
  const closed = Promise.withResolvers<boolean>();
  const port = await serve((_request, response) => {
    response.once('close', () => closed.resolve(response.writableFinished));
    response.end(large);
  }, 1);
  ask(port);
  expect(await closed.promise).toBe(false);
});

test('the server closes the connection of a client that reads nothing of a stream', async () => {
  const closed = Promise.withResolvers<void>();
  const port = await serve((_request, response) => {
    response.once('close', () => closed.resolve());
    response.write(large);
  }, 1);
  ask(port);
  await closed.promise;
});

test('the server closes the connection of a client that reads its answer too slowly', async () => {
  const closed = Promise.withResolvers<boolean>();
  const port = await serve((_request, response) => {
    response.once('close', () => closed.resolve(response.writableFinished));
    response.end(large);
  }, 1024 * 1024);
  const socket = ask(port);
  const reading = setInterval(() => socket.read(64 * 1024), 20);
  closing.push(() => clearInterval(reading));
  socket.on('readable', () => {});
  expect(await closed.promise).toBe(false);
});

test('the server closes the connection of a client that sends a second request and reads nothing of the first answer', async () => {
  const closed = Promise.withResolvers<boolean>();
  const listeners: RequestListener[] = [
    (_request, response) => {
      response.once('close', () => closed.resolve(response.writableFinished));
      response.end(large);
    },
  ];
  const port = await serve((request, response) => listeners.shift()?.(request, response), 1);
  ask(port).write('GET /2 HTTP/1.1\r\nHost: localhost\r\n\r\n');
  expect(await closed.promise).toBe(false);
});

test('the limit for slow clients does not count the time that a handler takes', async () => {
  const port = await serve((_request, response) => {
    void delay(300).then(() => response.end('done'));
  }, 1);
  const answer = await fetch(`http://127.0.0.1:${port}`);
  expect(await answer.text()).toBe('done');
});

test('the limit for slow clients does not end the handler of a pipelined second request', async () => {
  const port = await serve((request, response) => {
    void delay(request.url === '/' ? 50 : 400).then(() => response.end(`done ${request.url}`));
  }, 32);
  const socket = ask(port);
  socket.write('GET /2 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  let received = '';
  for await (const part of socket) received += part;
  expect(received).toContain('done /2');
});
