import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fetchJson } from '../../../../../server/caller/jwt/keys/fetch-json.ts';
import { RefreshedValue } from '../../../../../server/caller/jwt/keys/refreshed-value.ts';
import { type AnswerServer, json, startAnswerServer } from '../support/key-server.ts';

let server: AnswerServer;
beforeEach(async () => {
  server = await startAnswerServer(json({ fine: true }));
});
afterEach(() => server.goAway());

const load = (signal: AbortSignal = new AbortController().signal) => fetchJson(server.url, signal);
const zeros = (bytes: number) => JSON.stringify({ zeros: '0'.repeat(bytes) });

test('fetchJson returns the JSON object of an answer', async () => {
  expect(await load()).toEqual({ fine: true });
});

describe('fetchJson refuses an answer', () => {
  test.each<[string, AnswerServer['answer'], string]>([
    ['with an error status', (_, response) => response.writeHead(500).end(), 'status 500'],
    [
      'that is not JSON',
      (_, response) => response.end('<html>'),
      'does not answer with a JSON object',
    ],
    ['that is a JSON list', json([1]), 'does not answer with a JSON object'],
    ['that is too large', (_, response) => response.end(zeros(300_000)), 'more than 262144 bytes'],
    [
      'that is too large after unpacking',
      (_, response) =>
        response.setHeader('Content-Encoding', 'gzip').end(gzipSync(zeros(5_000_000))),
      'more than 262144 bytes',
    ],
    [
      'that is a redirect',
      (request, response) =>
        request.url === '/there'
          ? json({ fine: true })(request, response)
          : response.writeHead(302, { Location: '/there' }).end(),
      'fetch failed',
    ],
  ])('%s', async (_title, answer, message) => {
    server.answer = answer;
    await expect(load()).rejects.toThrow(message);
    expect(server.requests).toEqual(['/']);
  });
});

describe('a value that is loaded from a server that does not answer', () => {
  test('is awaited until one timeout, which all callers share', async () => {
    server.answer = () => {};
    const failures: unknown[] = [];
    // The test counts the loads and not the requests at the server, because a request may reach the server only after
    // the timeout.
    let loads = 0;
    const slow = new RefreshedValue({
      load: (signal) => {
        loads += 1;
        return load(signal);
      },
      onFailure: (error) => failures.push(error),
      timeoutMs: 50,
    });
    expect(await Promise.all([slow.get(), slow.get(), slow.renew()])).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect([await slow.get(), failures.length, loads]).toEqual([undefined, 1, 1]);
  });

  test('is no longer loaded after close, which reports no failure', async () => {
    const failures: unknown[] = [];
    const requested = new Promise<void>((resolve) => {
      server.answer = () => resolve();
    });
    const slow = new RefreshedValue({ load, onFailure: (error) => failures.push(error) });
    const waiting = slow.get();
    await requested;
    slow.close();
    expect([await waiting, await slow.renew(), failures]).toEqual([undefined, undefined, []]);
  });
});
