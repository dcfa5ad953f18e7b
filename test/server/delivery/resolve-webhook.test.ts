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

test('a path is one of this platform, which is told who calls', () => {
  expect(resolveWebhook({ webhook: '/webhooks/on-user-insert' }, services)).toMatchObject({
    url: 'https://platform.example.com/webhooks/on-user-insert',
    headers: { 'x-platform-api-token': 'the platform secret' },
  });
});

test('another host is not told the secret', () => {
  const { url, headers } = resolveWebhook({ webhook: 'https://{{HOST_OF_HOOK}}/in' }, services);
  expect([url, headers]).toEqual(['https://hooks.example.com/in', {}]);
});

test.each(['/{{OTHER_HOST}}/in', '//evil.example.com/in', '/\\evil.example.com/in'])(
  '%s stays on this platform',
  (webhook) => {
    const { url } = resolveWebhook({ webhook }, services);
    expect(new URL(url).host).toBe('platform.example.com');
  },
);

test('no variable makes a webhook one of this platform', () => {
  expect(() => resolveWebhook({ webhook: '{{PATH_OF_HOOK}}' }, services)).toThrow(
    'the webhook {{PATH_OF_HOOK}} does not become an http(s) URL',
  );
});

test('variables are filled in to headers', () => {
  const headers = [{ name: 'Authorization', value: 'Bearer {{HOOK_TOKEN}}' }];
  expect(resolveWebhook({ webhook: 'https://a.example.com/', headers }, services).headers).toEqual({
    authorization: 'Bearer t0ken',
  });
});

test('a variable that is not set is named', () => {
  expect(() => resolveWebhook({ webhook: 'https://{{MISSING}}/' }, services)).toThrow(
    'the environment variable MISSING is not set',
  );
});

test('a value that would be more than one header is refused, and not shown', () => {
  const headers = [{ name: 'X-Tenant', value: '{{BROKEN}}' }];
  expect(() => resolveWebhook({ webhook: '/in', headers }, services)).toThrow(
    /^the value of the header X-Tenant cannot be sent in a header$/,
  );
});

test.each([
  'https://user:pass@a.example.com/',
  'ftp://a.example.com/',
  'https://{{HOOK_TOKEN}}:x/',
])('%s is refused', (webhook) => {
  expect(() => resolveWebhook({ webhook }, services)).toThrow(/^the webhook https?|ftp/);
});

test('a call of a webhook that cannot be resolved is a failed one that says why', async () => {
  const call = { body: '{}', timeoutMs: 1000 };
  const answer = await callWebhook({ webhook: 'https://{{MISSING}}/' }, call, services);
  expect(answer).toMatchObject({
    status: undefined,
    error: 'the environment variable MISSING is not set',
  });
});
