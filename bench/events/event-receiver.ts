/*
 * Receives events in a separate thread, like another service, and reports the latency of each.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { parentPort } from 'node:worker_threads';

let onTheWay: number[] = [];

const server = createServer(async (request, response) => {
  const { created_at: made } = JSON.parse(await text(request));
  onTheWay.push(Date.now() - Date.parse(made));
  response.end('{}');
});
server.listen(0, '127.0.0.1', () => {
  parentPort?.postMessage({ port: (server.address() as AddressInfo).port });
});
// Reports in batches, because a message for each event would cost more than the event.
setInterval(() => {
  if (onTheWay.length === 0) return;
  parentPort?.postMessage({ onTheWay });
  onTheWay = [];
}, 5);
