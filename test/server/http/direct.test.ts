import { once } from 'node:events';
import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type RequestHandler } from 'express';
import pino from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parseConfig } from '../../../server/config/config.ts';
import type { Environment } from '../../../server/config/environment.ts';
import { sendProblem } from '../../../server/http/answers/problem.ts';
import { makeApp } from '../../../server/http/app.ts';
import { type DirectHandler, makeListener } from '../../../server/http/direct.ts';

const path = '/v1/graphql';

interface Served {
  readonly environment?: Environment;
  /** Answers `path` without Express. */
  readonly handler?: DirectHandler;
  /** Answers `path` in Express. */
  readonly route?: RequestHandler;
  readonly readSession?: RequestHandler;
}

/** Starts a server and returns its port. */
async function serve({ environment = {}, handler, route, readSession }: Served): Promise<number> {
  const { config } = parseConfig(environment, '/nowhere');
  const logger = pino({ level: 'silent' });
  const routes = express.Router();
  if (route) routes.all(path, route);
  const app = makeApp({ config, logger, phase: () => 'serving', service: [], routes });
  const direct = () => ({
    handlerAt: (given: string) => (given === path ? handler : undefined),
    readSession,
  });
  const server = createServer(makeListener({ app, direct, config, logger }));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly target?: string;
}

/** Sends a request with a chosen target, which `fetch` would normalize. */
async function send(port: number, { method = 'GET', headers = {}, target = path }: Sent) {
  const sending = request({ host: '127.0.0.1', port, method, headers, path: target });
  sending.end();
  const [response] = await once(sending, 'response');
  const chunks: Buffer[] = await response.toArray();
  const { date, 'keep-alive': _, ...others } = response.headers;
  return {
    status: response.statusCode,
    headers: others,
    hasDate: date !== undefined,
    body: Buffer.concat(chunks).toString(),
  };
}

const problem = {
  status: 422,
  code: 'of-the-test',
  detail: 'a problem with ä',
  headers: { 'Retry-After': '7' },
};
const refuse = async (_request: unknown, response: ServerResponse) =>
  sendProblem(response, problem);

describe('the answer of a direct route has the same status, headers and body as that of Express', () => {
  const allowed = 'https://app.example.com';
  const environment = {
    ROWGATE_APP_ORIGINS: allowed,
    ROWGATE_BASE_URL: 'https://api.example.com',
  };
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'];
  const origins = [{}, { origin: allowed }, { origin: 'https://evil.example' }];

  test.each(methods)('for %s', async (method) => {
    const [fast, usual] = [
      await serve({ environment, handler: refuse }),
      await serve({ environment, route: refuse }),
    ];
    for (const origin of origins) {
      const headers = {
        ...origin,
        'x-request-id': 'of-the-test',
        'access-control-request-method': 'POST',
      };
      const answer = await send(fast, { method, headers });
      expect(answer).toEqual(await send(usual, { method, headers }));
      expect(answer.headers['x-request-id']).toBe('of-the-test');
    }
  });

  test('without allowed origins', async () => {
    const [fast, usual] = [await serve({ handler: refuse }), await serve({ route: refuse })];
    const sent = { headers: { origin: allowed, 'x-request-id': 'of-the-test' } };
    expect(await send(fast, sent)).toEqual(await send(usual, sent));
  });
});

test.each([path, `${path}?query=1`, `${path}#fragment`, `http://elsewhere.example${path}?query=1`])(
  'a direct route answers the request target %s',
  async (target) => {
    const port = await serve({ handler: refuse });
    expect(await send(port, { target })).toMatchObject({ status: 422 });
  },
);

test.each([
  ...['/', '//v1/graphql', '/v1/graphql/more', '*', '/%761/graphql', '/more/../v1/graphql'],
  ...['http://elsewhere.example', 'http://elsewhere.example/more/../v1/graphql'],
])('Express answers the request target %s', async (target) => {
  const port = await serve({ handler: refuse });
  expect(await send(port, { target, method: 'OPTIONS' })).toMatchObject({ status: 404 });
});

test('the answer contains a new request id when the caller sends an unacceptable one', async () => {
  const port = await serve({ handler: refuse });
  const { headers, body } = await send(port, { headers: { 'x-request-id': '"},{' } });
  expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  expect(JSON.parse(body)).toMatchObject({ requestId: headers['x-request-id'] });
});

describe('a direct handler receives', () => {
  const show = ({ ip }: { readonly ip?: string | undefined }, response: ServerResponse) =>
    response.end(ip);

  test.each([
    [{}, '127.0.0.1'],
    [{ ROWGATE_TRUST_PROXY: '1' }, '203.0.113.9'],
    [{ ROWGATE_TRUST_PROXY: '2' }, '198.51.100.4'],
    [{ ROWGATE_TRUST_PROXY: 'loopback' }, '203.0.113.9'],
  ])('the same client address as Express with %o: %s', async (environment, address) => {
    const fast = await serve({ environment, handler: async (...args) => void show(...args) });
    const usual = await serve({ environment, route: (...args) => void show(args[0], args[1]) });
    const sent = { headers: { 'x-forwarded-for': '192.0.2.1, 198.51.100.4, 203.0.113.9' } };
    const answers = [await send(fast, sent), await send(usual, sent)];
    expect(answers.map(({ body }) => body)).toEqual([address, address]);
  });

  test('the session that middleware of Express has read from a cookie', async () => {
    const port = await serve({
      readSession: (incoming, response, next) => {
        response.vary('Cookie');
        Object.assign(incoming, { session: incoming.get('cookie') });
        next();
      },
      handler: async (incoming, response) => {
        response.end(String(Reflect.get(incoming, 'session')));
      },
    });
    const answer = await send(port, { headers: { cookie: 'sid=1' } });
    expect([answer.body, answer.headers.vary]).toEqual(['sid=1', 'Cookie']);
    expect((await send(port, {})).body).toBe('undefined');
  });
});

test('a failure of the session middleware is answered with status 500', async () => {
  const port = await serve({
    handler: refuse,
    readSession: (_incoming, _response, next) => next(new Error('of the test')),
  });
  const answer = await send(port, { headers: { cookie: 'sid=1' } });
  expect([answer.status, JSON.parse(answer.body).code]).toEqual([500, 'unexpected']);
});
