import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { callWebhook } from '../../../../server/platform/delivery/call-webhook.ts';

test('what a receiver repeats of the headers is not kept', async () => {
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

test('a webhook that cannot be resolved is a call that failed', async () => {
  const services = { baseUrl: '', platformSecret: '', variable: () => undefined };
  const call = { body: '{}', timeoutMs: 20_000 };
  const answer = await callWebhook({ webhook: '{{HOOK}}' }, call, services);
  expect(answer).toMatchObject({
    status: undefined,
    error: 'the environment variable HOOK is not set',
  });
});
