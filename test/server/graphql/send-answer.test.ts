import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import express from 'express';
import { expect, onTestFinished, test } from 'vitest';
import type { ByteString } from '../../../server/db/requests/wire/message-reader.ts';
import { type AnswerText, EncodedJson } from '../../../server/graphql/answer-text.ts';
import { sendAnswer } from '../../../server/graphql/transport/http/send-answer.ts';

/**
 * Starts a server that sends one text.
 * @returns its address
 */
async function serveText(text: AnswerText, whileSent: (isSent: () => boolean) => void = () => {}) {
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

test.each([1, 500_000])(
  'sendAnswer sends the bytes of encoded JSON unchanged, of %i times the same letters',
  async (times) => {
    const text = JSON.stringify({ data: 'ä😀'.repeat(times) });
    const bytes = Buffer.from(text).toString('latin1') as ByteString;
    const response = await fetch(await serveText(new EncodedJson(bytes)));
    expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
    expect(await response.text()).toBe(text);
  },
);
