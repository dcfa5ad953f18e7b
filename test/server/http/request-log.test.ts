import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import {
  makeRequestLog,
  type RequestLogOptions,
  recordFailure,
} from '../../../server/http/request-log.ts';
import { makeLogger } from '../../../server/log/log.ts';
import { LogCapture } from '../../support/log-capture.ts';

interface LoggedServer {
  readonly url: string;
  readonly port: number;
  readonly log: LogCapture;
  /** Returns the paths of the logged requests. A last request, which is always logged, shows that all have ended. */
  logged(): Promise<readonly string[]>;
}

/** Starts a server that logs all requests. It answers with the status that the path names. */
async function serve(
  options: Omit<RequestLogOptions, 'logger'>,
  listener: RequestListener,
): Promise<LoggedServer> {
  const log = new LogCapture();
  const logger = makeLogger({ logLevel: 'info', headerPrefix: 'X-Gql-' }, log);
  const logRequest = makeRequestLog({ logger, ...options });
  const server = createServer((request, response) => {
    logRequest(request, response, request.url ?? '');
    listener(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return {
    ...{ url, port, log },
    logged: async () => {
      await fetch(`${url}/599`);
      await log.lineWith('/599');
      const lines = log.text.trimEnd().split('\n');
      return lines.map((line) => (JSON.parse(line) as { readonly path: string }).path);
    },
  };
}

// No request of a test is slow, however busy the machine is.
const slowMs = Number.POSITIVE_INFINITY;

const withStatus: RequestListener = ({ url = '' }, response) => {
  response.statusCode = Number(url.slice(1, 4));
  response.end();
};

/** Waits for the end of each request before the next one. */
async function getAll(url: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) await (await fetch(`${url}${path}`)).text();
}

test('the request log contains every request by default, in the order of their ends', async () => {
  const { url, logged } = await serve({ percent: 100 }, withStatus);
  await getAll(url, ['/200/a', '/204/b', '/301/c', '/404/d']);
  expect(await logged()).toEqual(['/200/a', '/204/b', '/301/c', '/404/d', '/599']);
});

test('the request log contains the configured share of the successful requests, at even distances', async () => {
  const { url, logged } = await serve({ percent: 25, slowMs }, withStatus);
  await getAll(
    url,
    Array.from({ length: 8 }, (_, index) => `/200/${index + 1}`),
  );
  expect(await logged()).toEqual(['/200/4', '/200/8', '/599']);
});

test('the request log contains all failed requests when no other request is logged', async () => {
  const { url, logged } = await serve({ percent: 0, slowMs }, withStatus);
  await getAll(url, ['/200', '/400', '/304', '/503', '/200']);
  expect(await logged()).toEqual(['/400', '/503', '/599']);
});

test('the request log contains slow requests when no other request is logged', async () => {
  const { url, logged } = await serve({ percent: 0, slowMs: 0 }, withStatus);
  await getAll(url, ['/200', '/200']);
  expect(await logged()).toEqual(['/200', '/200', '/599']);
});

test('the request log contains requests whose failure the status does not show', async () => {
  const { url, logged } = await serve({ percent: 0, slowMs }, (request, response) => {
    recordFailure(response);
    withStatus(request, response);
  });
  await getAll(url, ['/200']);
  expect(await logged()).toEqual(['/200', '/599']);
});

test('the request log contains requests whose client disconnects when no other request is logged', async () => {
  const { port, log } = await serve({ percent: 0, slowMs }, () => {});
  const socket = connect(port, '127.0.0.1');
  socket.write('GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n', () => socket.end());
  socket.resume();
  expect(await log.lineWith('/slow')).toMatchObject({ level: 'warn', msg: 'request aborted' });
});

test('a line of the request log has the format of all other lines', async () => {
  const { url, log } = await serve({ percent: 100, slowMs }, withStatus);
  await getAll(url, ['/200/short']);
  const line = await log.lineWith('/200/short');
  expect(Object.keys(line)).toEqual([
    ...['level', 'time', 'pid', 'requestId', 'method', 'path', 'status', 'ms', 'msg'],
  ]);
  expect(line).toMatchObject({ level: 'info', pid: process.pid, method: 'GET', msg: 'request' });
  expect(new Date(String(line.time)).toISOString()).toBe(line.time);
});

test.each([
  ['a secret in a query', '/200/a?token=abcdefgh', '/200/a?token=[secret]'],
  ['a password', '/200/postgres://a:b@c', '/200/postgres://a:[secret]@c'],
  ['a character that JSON escapes', '/200/a"b', '/200/a"b'],
])('a line of the request log masks or escapes %s in its path', async (_what, sent, expected) => {
  const { port, logged } = await serve({ percent: 100, slowMs }, withStatus);
  const socket = connect(port, '127.0.0.1');
  socket.end(`GET ${sent} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  await once(socket.resume(), 'close');
  expect(await logged()).toEqual([expected, '/599']);
});
