import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from './support/app.ts';

describe('an answer of the server', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.stop());

  test.each([
    ['GET', '/nowhere'],
    ['POST', '/nowhere'],
    ['GET', '/v1/graphql'],
    ['GET', '/%E0%A4%A'],
  ])('to %s %s has the security headers', async (method, path) => {
    const { headers } = await app.fetch(path, { method });
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none';frame-ancestors 'none'",
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
  });

  test('does not name the server software, such as Express', async () => {
    const { headers } = await app.fetch('/nowhere');
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('server')).toBeNull();
  });

  test('has no HSTS header when the server has no https URL', async () => {
    const { headers } = await app.fetch('/nowhere');
    expect(headers.get('strict-transport-security')).toBeNull();
  });
});

test('an answer has an HSTS header when the configured base URL uses https', async () => {
  const app = await startApp({ environment: { ROWGATE_BASE_URL: 'https://api.example.com' } });
  const { headers } = await app.fetch('/nowhere');
  expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
  await app.stop();
});
