import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { Backlog } from '../../../../server/graphql/transport/websocket/backlog.ts';
import { Intake, ReadTurns } from '../../../../server/graphql/transport/websocket/intake.ts';

const http = createServer();
const opened = Promise.withResolvers<{ readonly socket: WebSocket; readonly raw: Socket }>();
let client: Socket;
beforeAll(async () => {
  const server = new WebSocketServer({ noServer: true, clientTracking: false, maxPayload: 1024 });
  http.on('upgrade', (request, raw: Socket, head) =>
    server.handleUpgrade(request, raw, head, (socket) => opened.resolve({ socket, raw })),
  );
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  client = connect((http.address() as AddressInfo).port, '127.0.0.1');
  const lines = [
    'GET / HTTP/1.1',
    'Host: localhost',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
  ];
  client.write(`${lines.join('\r\n')}\r\n\r\n`);
  await once(client, 'data');
});
afterAll(() => {
  client.destroy();
  http.close();
});

/** Returns frames with messages of one byte each as one buffer, which the socket sends at once. */
const messages = (count: number) =>
  Buffer.concat(Array.from({ length: count }, () => Buffer.from([0x81, 0x81, 0, 0, 0, 0, 0x31])));

test("a WebSocket intake pauses a client that sends more than 32 messages at once until the client's next turn", async () => {
  const { socket, raw } = await opened.promise;
  const backlog = new Backlog(Number.POSITIVE_INFINITY, () => {});
  const turns = new ReadTurns();
  const turn = Promise.withResolvers<void>();
  const onTurn = turn.resolve;
  const intake = new Intake({ socket, raw, backlog, turns, messageBytes: 1024, onTurn });
  client.write(messages(3));
  await once(raw, 'data');
  expect([intake.isWaiting, socket.isPaused]).toEqual([false, false]);
  client.write(messages(100));
  await once(raw, 'data');
  expect([intake.isWaiting, socket.isPaused]).toEqual([true, true]);
  await turn.promise;
  expect(intake.isWaiting).toBe(false);
});
