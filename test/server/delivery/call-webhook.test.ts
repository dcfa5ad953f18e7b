import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { callWebhook } from '../../../server/delivery/call-webhook.ts';

test("the excerpt of a webhook's answer masks header values of the request that the receiver repeats", async () => {
  const server = createServer(({ headers }, response) =>
    response.writeHead(401).end(`${headers['x-platform-api-token']} or ${headers.authorization}?`),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const services = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    platformSecret: 'p'.repeat(40),
    variable: () => 'of-the-environment',
  };
  const headers = [{ name: 'Authorization', value: 'Bearer {{TOKEN}}' }];
  const call = { body: '{}', timeoutMs: 20_000 };
  const answer = await callWebhook({ webhook: '/hook', headers }, call, services);
  server.closeAllConnections();
  server.close();
  expect(answer).toMatchObject({ status: 401, excerpt: '*** or Bearer ***?' });
});

test.each([
  ['/services/{{TOKEN}}', 'Cannot POST ***'],
  ['{{HOOK}}', 'Cannot POST ***'],
])(
  "the excerpt of a webhook's answer masks parts of the URL that the receiver repeats: %s",
  async (webhook, excerpt) => {
    const server = createServer(({ url }, response) =>
      response.writeHead(404).end(`Cannot POST ${url}`),
    ).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const variables: Readonly<Record<string, string>> = {
      TOKEN: 'of the environment',
      HOOK: `${baseUrl}/services/of-the-environment?key=secret`,
    };
    const services = { baseUrl, platformSecret: '', variable: (name: string) => variables[name] };
    const answer = await callWebhook({ webhook }, { body: '{}', timeoutMs: 20_000 }, services);
    server.closeAllConnections();
    server.close();
    expect(answer).toMatchObject({ status: 404, excerpt });
  },
);

test.each([
  [
    'the URL with escaped slashes, as PHP writes it in JSON',
    (url: string) => JSON.stringify(url).replaceAll('/', '\\/'),
  ],
  ['a secret in the last part of the path', (url: string) => url.replace(/^.*\/|\?.*$/g, '')],
  ['a secret in the query', (url: string) => url.replace(/^.*=/, '')],
])(
  "the excerpt of a webhook's answer masks parts of the URL that the receiver repeats: %s",
  async (_how, repeat) => {
    const server = createServer(({ url = '' }, response) =>
      response.writeHead(404).end(`no such hook: ${repeat(url)}`),
    ).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const variable = () => `${baseUrl}/T0123/of-the-environment?key=of-the-query`;
    const services = { baseUrl, platformSecret: '', variable };
    const call = { body: '{}', timeoutMs: 20_000 };
    const { excerpt } = await callWebhook({ webhook: '{{HOOK}}' }, call, services);
    server.closeAllConnections();
    server.close();
    expect(excerpt).toMatch(/^no such hook: "?\*\*\*"?$/);
  },
);

test("the excerpt of a webhook's answer masks a secret that is cut at the end of the excerpt", async () => {
  const server = createServer(({ headers }, response) =>
    response.end(`${'x'.repeat(2038)}${headers.authorization}`),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const services = { baseUrl, platformSecret: '', variable: () => undefined };
  const headers = [{ name: 'Authorization', value: 'of-the-environment' }];
  const call = { body: '{}', timeoutMs: 20_000 };
  const { excerpt } = await callWebhook({ webhook: '/hook', headers }, call, services);
  server.closeAllConnections();
  server.close();
  expect(excerpt).toBe(`${'x'.repeat(2038)}***`);
});

test('calling a webhook whose URL or headers cannot be resolved counts as a failed call', async () => {
  const services = { baseUrl: '', platformSecret: '', variable: () => undefined };
  const call = { body: '{}', timeoutMs: 20_000 };
  const answer = await callWebhook({ webhook: '{{HOOK}}' }, call, services);
  expect(answer).toMatchObject({
    status: undefined,
    error: 'the environment variable HOOK is not set',
  });
});
