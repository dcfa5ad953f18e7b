import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publicAccess } from '../../../server/http/endpoint/access.ts';
import { defineEndpoint } from '../../../server/http/endpoint/define-endpoint.ts';
import { documentsTag } from '../../../server/platform/api-tags.ts';
import { describeInBrowser, sharedBrowser } from '../../support/chromium.ts';
import { startApp, type TestApp } from './support/app.ts';

const allowed = 'https://app.example.com';

const greeting = defineEndpoint({
  method: 'post',
  path: '/greeting',
  operationId: 'greet',
  tag: documentsTag,
  summary: 'Greets',
  access: publicAccess,
  body: Type.Object({ name: Type.String() }),
  answers: { 200: { description: 'A greeting' } },
  handle: ({ body, request }, response) => {
    response.set('Retry-After', '1').json({ hello: body.name, cookie: request.get('cookie') });
  },
});

function preflight(app: TestApp, origin: string): Promise<Response> {
  const headers = {
    Origin: origin,
    'Access-Control-Request-Method': 'POST',
    'Access-Control-Request-Headers': 'authorization,content-type',
  };
  return app.fetch('/greeting', { method: 'OPTIONS', headers });
}

const corsHeaders = ({ headers }: Response) =>
  [...headers.keys()].filter((name) => name.startsWith('access-control-'));

describe('a page of a web application, when its origin is configured,', () => {
  let app: TestApp;
  beforeAll(async () => {
    const environment = { ROWGATE_APP_ORIGINS: `${allowed},http://localhost:3000` };
    app = await startApp({ endpoints: [greeting], environment });
  });
  afterAll(() => app.stop());

  test('may send cookies and all request headers that endpoints read', async () => {
    const { status, headers } = await preflight(app, allowed);
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-origin')).toBe(allowed);
    expect(headers.get('access-control-allow-credentials')).toBe('true');
    expect(headers.get('access-control-allow-methods')).toBe('GET,HEAD,POST,DELETE');
    expect(headers.get('access-control-allow-headers')).toBe(
      'Authorization,Content-Type,X-Request-Id,X-Gql-Role,If-None-Match,If-Modified-Since,If-Range,Range',
    );
    expect(headers.get('access-control-max-age')).toBe('600');
  });

  test('may read the exposed answer headers, also those of an error', async () => {
    const response = await app.fetch('/nowhere', { headers: { Origin: allowed } });
    expect(response.status).toBe(404);
    expect(response.headers.get('access-control-allow-origin')).toBe(allowed);
    expect(response.headers.get('access-control-expose-headers')).toBe(
      'Retry-After,X-Request-Id,ETag,Content-Disposition,Content-Range,Accept-Ranges',
    );
  });

  test.each([
    'https://app.example.com.evil.example',
    'https://evil.example',
    'http://app.example.com',
    'https://app.example.com:8443',
    'https://APP.example.com',
    'null',
    'https://app.example.com, https://evil.example',
  ])('differs from a page of %s, whose requests get no CORS headers', async (origin) => {
    const answers = [
      await preflight(app, origin),
      await app.fetch('/greeting', { headers: { Origin: origin } }),
    ];
    expect(answers.flatMap(corsHeaders)).toEqual([]);
    expect(answers.map(({ headers }) => headers.get('vary'))).toEqual(['Origin', 'Origin']);
  });

  test('gets answers with Vary: Origin, as do requests without an origin, so that caches keep them apart', async () => {
    const response = await app.fetch('/nowhere');
    expect([response.headers.get('vary'), corsHeaders(response)]).toEqual(['Origin', []]);
  });
});

test('without a configured origin, no answer has CORS headers', async () => {
  const app = await startApp({ endpoints: [greeting] });
  const answers = [
    await preflight(app, allowed),
    await preflight(app, app.url),
    await app.fetch('/greeting', { headers: { Origin: allowed } }),
  ];
  expect(answers.flatMap(corsHeaders)).toEqual([]);
  expect(answers.map(({ headers }) => headers.get('vary'))).toEqual([null, null, null]);
  await app.stop();
});

test('CORS allows the role header with the configured prefix', async () => {
  const environment = { ROWGATE_APP_ORIGINS: allowed, ROWGATE_HEADER_PREFIX: 'X-Hasura-' };
  const app = await startApp({ endpoints: [greeting], environment });
  const { headers } = await preflight(app, allowed);
  expect(headers.get('access-control-allow-headers')).toContain('X-Hasura-Role');
  await app.stop();
});

describeInBrowser('a page in a browser (needs /usr/bin/chromium)', () => {
  let own: Server;
  let foreign: Server;
  let app: TestApp;
  let browser: Browser;

  beforeAll(async () => {
    [own, foreign] = await Promise.all([servePage(), servePage()]);
    const environment = { ROWGATE_APP_ORIGINS: originOf(own) };
    app = await startApp({ endpoints: [greeting], environment });
    browser = await sharedBrowser();
  });
  afterAll(async () => {
    await app.stop();
    own.close();
    foreign.close();
  });

  /**
   * Sends a request with a cookie from a page of this origin. Returns the part of the answer that the page can read.
   */
  async function greetFrom(origin: string): Promise<unknown> {
    const context = await browser.newContext();
    await context.addCookies([{ name: 'rowgate.sid', value: 'x', url: app.url }]);
    const page = await context.newPage();
    await page.goto(origin);
    const answer = await page.evaluate(`
        fetch('${app.url}/greeting', {
          method: 'POST',
          credentials: 'include',
          headers: { 'Content-Type': 'application/json' },
          body: '{"name":"Ada"}',
        }).then(
          async (response) => ({ body: await response.json(), wait: response.headers.get('Retry-After') }),
          (error) => error.name,
        )`);
    await context.close();
    return answer;
  }

  test('can read the answer when its origin is allowed', async () => {
    expect(await greetFrom(originOf(own))).toEqual({
      body: { hello: 'Ada', cookie: 'rowgate.sid=x' },
      wait: '1',
    });
  });

  test('cannot read the answer when its origin is not allowed', async () => {
    expect(await greetFrom(originOf(foreign))).toBe('TypeError');
  });
});

async function servePage(): Promise<Server> {
  const server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>page</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

function originOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
