import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import express from 'express';
import { afterEach, expect, test, vi } from 'vitest';
import { boundUnfinished } from '../../../server/http/endpoint/bound-unfinished.ts';

const bodyBytes = 100_000;
const maxBytes = 250_000;

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Starts a server that answers with the length of the request body. */
async function serve(): Promise<number> {
  const app = express();
  app.use(
    boundUnfinished(bodyBytes, maxBytes),
    express.raw({ limit: bodyBytes, type: () => true }),
  );
  app.use((request, response) => void response.send(String(request.body.length)));
  // Express treats a function with four parameters as an error handler, so the unused parameters must stay.
  app.use(
    (_error: unknown, _request: express.Request, response: express.Response, _next: unknown) =>
      void response.end(),
  );
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => void server.close());
  return (server.address() as AddressInfo).port;
}

interface Sender {
  readonly socket: Socket;
  readonly ended: Promise<unknown>;
}

/**
 * Sends all but the last byte of a body, and then a complete request. The answer to the second request shows that the
 * server has read the first body so far.
 */
async function begin(port: number, body: Buffer, encoding = 'identity'): Promise<Sender> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  closing.push(() => socket.destroy());
  const ended = new Promise((resolve) => socket.once('close', resolve));
  const head = [
    'POST / HTTP/1.1',
    'Host: localhost',
    `Content-Encoding: ${encoding}`,
    `Content-Length: ${body.length + 1}`,
    'Expect: 100-continue',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  await once(socket, 'data');
  socket.write(body);
  await (await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: 'x' })).text();
  return { socket, ended };
}

/** Sends the last byte of the body, and returns the body of the answer. */
async function finish({ socket }: Sender): Promise<string> {
  socket.write('x');
  const [answer] = await once(socket, 'data');
  return String(answer).split('\r\n').at(-1) ?? '';
}

const large = Buffer.alloc(90_000, 'x');

test('the server cuts off the oldest incomplete request body when all incomplete bodies together exceed the limit', async () => {
  const port = await serve();
  const first = await begin(port, large);
  const second = await begin(port, large);
  const third = await begin(port, large);
  await first.ended;
  expect([await finish(second), await finish(third)]).toEqual(['90001', '90001']);
});

test('the limit for incomplete request bodies does not count complete bodies', async () => {
  const port = await serve();
  const first = await begin(port, large);
  const second = await begin(port, large);
  expect([await finish(second), await finish(await begin(port, large))]).toEqual([
    '90001',
    '90001',
  ]);
  expect(await finish(first)).toBe('90001');
});

test('the limit for incomplete request bodies counts a compressed body with the maximum size, as it may unpack to that size', async () => {
  const port = await serve();
  const packed = gzipSync(large).subarray(0, -1);
  const first = await begin(port, packed, 'gzip');
  await begin(port, packed, 'gzip');
  await begin(port, packed, 'gzip');
  await first.ended;
});

test('the limit for incomplete request bodies does not count the discarded bytes of a body that is too large', async () => {
  const port = await serve();
  const first = await begin(port, large);
  await begin(port, Buffer.alloc(maxBytes, 'x'));
  expect(await finish(first)).toBe('90001');
});

test('a request whose client has disconnected already does not count', async () => {
  const destroyed = { headers: {}, complete: false, destroyed: true, once: expect.unreachable };
  const next = vi.fn();
  boundUnfinished(bodyBytes, maxBytes)(destroyed as never, {} as never, next);
  expect(next).toHaveBeenCalledOnce();
});
