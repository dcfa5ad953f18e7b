import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import express from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { sendAnswer } from '../../../server/graphql/transport/http/send-answer.ts';

/**
 * Starts a server that sends one text.
 * @returns its address
 */
async function serveText(text: string, whileSent: (isSent: () => boolean) => void) {
  const app = express();
  app.get('/', (_request, response) => {
    sendAnswer(response, 200, text);
    whileSent(() => response.writableFinished);
  });
  const server = app.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

test('sendAnswer sends a large answer in parts, and other work of the event loop runs after each part', async () => {
  const text = JSON.stringify({ data: 'ä😀'.repeat(500_000) });
  let turns = 0;
  const url = await serveText(text, async (isSent) => {
    for (; !isSent(); turns += 1) await nextTurn();
  });
  const response = await fetch(url);
  expect(await response.text()).toBe(text);
  // The last turns may come after the answer was sent.
  expect(turns).toBeGreaterThan(text.length / (2 * 64 * 1024));
});
