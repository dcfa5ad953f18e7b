import { expect, test } from 'vitest';
import { callWebhook } from '../../../server/delivery/call-webhook.ts';
import { resolveWebhook } from '../../../server/delivery/resolve-webhook.ts';

const environment: Readonly<Record<string, string>> = {
  HOST_OF_HOOK: 'hooks.example.com',
  HOOK_TOKEN: 't0ken',
  PATH_OF_HOOK: '/webhooks/on-user-insert',
  OTHER_HOST: '@evil.example.com',
  BROKEN: 'a\r\nx-platform-api-token: forged',
};
const services = {
  baseUrl: 'https://platform.example.com',
  platformSecret: 'the platform secret',
  variable: (name: string) => environment[name],
};

test('a webhook that is a path resolves to this server, with the platform token in a header', () => {
  expect(resolveWebhook({ webhook: '/webhooks/on-user-insert' }, services)).toMatchObject({
    url: 'https://platform.example.com/webhooks/on-user-insert',
    headers: { 'x-platform-api-token': 'the platform secret' },
  });
});

test('a webhook on another host gets no platform token', () => {
  const { url, headers } = resolveWebhook({ webhook: 'https://{{HOST_OF_HOOK}}/in' }, services);
  expect([url, headers]).toEqual(['https://hooks.example.com/in', {}]);
});

test.each(['/{{OTHER_HOST}}/in', '//evil.example.com/in', '/\\evil.example.com/in'])(
  'the webhook path %s stays on this server',
  (webhook) => {
    const { url } = resolveWebhook({ webhook }, services);
    expect(new URL(url).host).toBe('platform.example.com');
  },
);

test('an environment variable cannot turn a webhook into a path of this server, which would get the platform token', () => {
  expect(() => resolveWebhook({ webhook: '{{PATH_OF_HOOK}}' }, services)).toThrow(
    'the webhook {{PATH_OF_HOOK}} does not become an http(s) URL',
  );
});

test('environment variables are inserted into the header values of a webhook', () => {
  const headers = [{ name: 'Authorization', value: 'Bearer {{HOOK_TOKEN}}' }];
  expect(resolveWebhook({ webhook: 'https://a.example.com/', headers }, services).headers).toEqual({
    authorization: 'Bearer t0ken',
  });
});

test('an environment variable that is not set fails the webhook, and the error names it', () => {
  expect(() => resolveWebhook({ webhook: 'https://{{MISSING}}/' }, services)).toThrow(
    'the environment variable MISSING is not set',
  );
});

test("an environment variable with a line break in a webhook's header fails the webhook, and the error does not show the value", () => {
  const headers = [{ name: 'X-Tenant', value: '{{BROKEN}}' }];
  expect(() => resolveWebhook({ webhook: '/in', headers }, services)).toThrow(
    /^the value of the header X-Tenant cannot be sent in a header$/,
  );
});

test.each([
  'https://user:pass@a.example.com/',
  'ftp://a.example.com/',
  'https://{{HOOK_TOKEN}}:x/',
])('the webhook URL %s is refused', (webhook) => {
  expect(() => resolveWebhook({ webhook }, services)).toThrow(/^the webhook https?|ftp/);
});

test('calling a webhook that cannot be resolved fails with the reason', async () => {
  const call = { body: '{}', timeoutMs: 1000 };
  const answer = await callWebhook({ webhook: 'https://{{MISSING}}/' }, call, services);
  expect(answer).toMatchObject({
    status: undefined,
    error: 'the environment variable MISSING is not set',
  });
});
