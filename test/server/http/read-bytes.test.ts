import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { makeBodyReader } from '../../../server/http/endpoint/read-bytes.ts';

const maxBytes = 1000;
const outcomes: Promise<string>[] = [];
const read = makeBodyReader(maxBytes);
const server = createServer((request, response) => {
  const outcome = read(request, response).then(
    (body) => `read ${body?.toString() ?? 'nothing'}`,
    (error: Error) => error.message,
  );
  outcomes.push(outcome);
  void outcome.then((text) => response.end(text));
});

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

const port = () => (server.address() as AddressInfo).port;

/** Sends a body, in several parts if it is a list, and returns what the server has read. */
async function post(
  body: string | Buffer<ArrayBuffer> | readonly string[] | undefined,
  headers: Readonly<Record<string, string>> = {},
) {
  const sent = Array.isArray(body) ? ReadableStream.from(body) : body;
  const init = { method: 'POST', headers, body: sent, duplex: 'half' } as RequestInit;
  return (await fetch(`http://127.0.0.1:${port()}/`, init)).text();
}

test('a body is read when it arrives at once, in parts, empty, or not at all', async () => {
  expect(await post('one')).toBe('read one');
  expect(await post(['one ', 'two ', 'three'])).toBe('read one two three');
  expect(await post('')).toBe('read ');
  expect(await post([])).toBe('read ');
  const bodiless = await fetch(`http://127.0.0.1:${port()}/`);
  expect(await bodiless.text()).toBe('read nothing');
});

test('a body of the maximum size is read, and a larger one is refused', async () => {
  expect(await post('x'.repeat(maxBytes))).toBe(`read ${'x'.repeat(maxBytes)}`);
  expect(await post('x'.repeat(maxBytes + 1))).toBe('too-large');
  expect(await post(['x'.repeat(maxBytes), 'x', 'x'.repeat(10)])).toBe('too-large');
});

test('a compressed body is unpacked within the limit', async () => {
  const gzip = { 'content-encoding': 'gzip' };
  expect(await post(gzipSync('one'), gzip)).toBe('read one');
  expect(await post(gzipSync('x'.repeat(maxBytes + 1)), gzip)).toBe('too-large');
  expect(await post('no gzip', gzip)).toBe('unreadable');
  expect(await post('one', { 'content-encoding': 'zip' })).toBe('unknown-encoding');
});

test('a body whose client disconnects is unreadable', async () => {
  const begun = outcomes.length;
  const socket = connect(port(), '127.0.0.1');
  const head =
    'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\nExpect: 100-continue\r\n\r\n';
  socket.write(head);
  await once(socket, 'data');
  socket.write('12345', () => socket.destroy());
  expect(await outcomes[begun]).toBe('unreadable');
});

test('bodies that arrive in parts count as incomplete, and above the limit the oldest connection is closed', async () => {
  const readSome = makeBodyReader(maxBytes, maxBytes);
  const other = createServer((request, response) => {
    readSome(request, response).catch(() => {});
  });
  onTestFinished(() => {
    other.close();
    other.closeAllConnections();
  });
  other.listen(0, '127.0.0.1');
  await once(other, 'listening');
  const head = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\n\r\n';
  const sendPart = () => {
    const socket = connect((other.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => {}).resume();
    socket.write(head + 'x'.repeat(600));
    return socket;
  };
  const oldest = sendPart();
  await once(other, 'request');
  sendPart();
  await once(oldest, 'close');
});

test.each(['', 'Content-Encoding: gzip\r\n'])(
  'a body whose client disconnected before the read is unreadable, with the header %j',
  async (header) => {
    const other = createServer();
    onTestFinished(() => void other.close());
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    const socket = connect((other.address() as AddressInfo).port, '127.0.0.1');
    socket.write(`POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n${header}\r\n12345`);
    const [request, response] = await once(other, 'request');
    request.on('error', () => {});
    socket.resetAndDestroy();
    await new Promise((resolve) => request.once('close', resolve));
    await expect(read(request, response)).rejects.toThrow('unreadable');
  },
);
