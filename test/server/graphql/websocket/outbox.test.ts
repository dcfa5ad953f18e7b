import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { Backlog } from '../../../../server/graphql/transport/websocket/backlog.ts';
import { Outbox } from '../../../../server/graphql/transport/websocket/outbox.ts';

/** More bytes than the kernel buffers for a client that reads nothing. */
const large = 'x'.repeat(24 * 1024 * 1024);

const http = createServer();
const clients: WebSocket[] = [];
let welcome: (socket: WebSocket) => void;
beforeAll(async () => {
  const server = new WebSocketServer({ noServer: true, clientTracking: false, maxPayload: 1024 });
  http.on('upgrade', (request, socket: Socket, head) =>
    server.handleUpgrade(request, socket, head, (opened) => welcome(opened)),
  );
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
});
afterAll(() => {
  for (const client of clients) client.terminate();
  http.close();
});

/** Opens a client that reads nothing. Returns the client and the socket on the side of the server. */
async function slow() {
  const opened = new Promise<WebSocket>((resolve) => {
    welcome = resolve;
  });
  const { port } = http.address() as AddressInfo;
  const client = new WebSocket(`ws://127.0.0.1:${port}`, []);
  clients.push(client);
  await once(client, 'open');
  client.pause();
  return { client, socket: await opened };
}

const generous = () => new Backlog(Number.POSITIVE_INFINITY, () => {});

test('an outbox has no room for further operations until the client has read a large message', async () => {
  const { client, socket } = await slow();
  const taken = Promise.withResolvers<void>();
  const outbox = new Outbox({ socket, backlog: generous(), graceMs: 1000, onTaken: taken.resolve });
  expect([outbox.isEmpty, outbox.isFull, outbox.hasRoomBeside(3)]).toEqual([true, false, true]);
  outbox.send(large);
  expect([outbox.isEmpty, outbox.isFull, outbox.hasRoomBeside(0)]).toEqual([false, true, false]);
  client.resume();
  await taken.promise;
  expect([outbox.isEmpty, outbox.isFull]).toEqual([true, false]);
  // The outbox assumes further answers of the same size, and three of them would exceed the limit.
  expect([outbox.hasRoomBeside(1), outbox.hasRoomBeside(2)]).toEqual([true, false]);
});

test('an outbox reports a client as late only after the time to read the message has passed', async () => {
  const [{ socket }, another] = [await slow(), await slow()];
  const graceMs = -large.length;
  const options = { backlog: generous(), onTaken: () => {} };
  const late = new Outbox({ ...options, socket, graceMs });
  const early = new Outbox({ ...options, socket: another.socket, graceMs: 0 });
  expect(late.isLate).toBe(false);
  late.send(large);
  early.send(large);
  expect([late.isLate, early.isLate]).toEqual([true, false]);
});

test('when the unread messages of all clients exceed the limit, only the client with the most unread messages is disconnected', async () => {
  const [more, less] = [await slow(), await slow()];
  const cut: number[] = [];
  const backlog = new Backlog(30 * 1024 * 1024, (bytes) => cut.push(bytes));
  const options = { backlog, graceMs: 1000, onTaken: () => {} };
  const [full, fuller] = [less, more].map(({ socket }) => new Outbox({ ...options, socket }));
  const ended = once(more.socket, 'close');
  fuller?.send(large);
  full?.send(large.slice(large.length / 3));
  await ended;
  expect([cut.length, less.socket.readyState]).toEqual([1, WebSocket.OPEN]);
});
