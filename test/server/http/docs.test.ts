import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeInBrowser, sharedBrowser } from '../../support/chromium.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { startTestServer, type TestServer } from '../../support/http.ts';

let database: TestDatabase;
let server: TestServer;

beforeAll(async () => {
  database = await createDatabase({ from: 'applied' });
  server = await startTestServer({ database, rest: true });
});

afterAll(async () => {
  await server.stop();
  await database.drop();
});

describe('the page of the documentation', () => {
  test('runs no script of its own text and may ask nobody else', async () => {
    const response = await server.fetch('/docs');
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = response.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("connect-src 'self';");
    const page = await response.text();
    expect(page).not.toMatch(/(src|href)="?(https?:)?\/\//);
    expect(page).not.toMatch(/<script(?![^>]*src=)/);
  });

  test.each(['page.js', 'page.css', 'swagger-ui.css', 'swagger-ui-bundle.js'])(
    'has the file %s',
    async (file) => {
      const response = await server.fetch(`/docs/${file}`);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toMatch(
        /^text\/(css|javascript); charset=utf-8$/,
      );
      expect(response.headers.get('cache-control')).toBe('public, max-age=3600');
    },
  );

  test.each([
    'index.html',
    'swagger-ui-bundle.js.map',
    'package.json',
    '..%2fpackage.json',
    '%2e%2e%2f%2e%2e%2fpackage.json',
    '__proto__',
    'constructor',
    'page.js%00',
  ])('has no file %s', async (file) => {
    const response = await server.fetch(`/docs/${file}`);
    expect([response.status, await response.json()]).toMatchObject([404, { code: 'not-found' }]);
  });
});

describeInBrowser('the documentation in a browser (needs /usr/bin/chromium)', () => {
  let page: Page;
  const requested: string[] = [];
  const failures: string[] = [];

  beforeAll(async () => {
    page = await (await sharedBrowser()).newPage({ viewport: { width: 1280, height: 900 } });
    page.on('request', (request) => requested.push(request.url()));
    page.on('pageerror', (error) => failures.push(error.message));
    page.on('console', (message) => {
      failures.push(...(message.type() === 'error' ? [message.text()] : []));
    });
    await page.goto(`${server.url}/docs`);
    await page.locator('.opblock').first().waitFor();
  });
  afterAll(() => page.close());

  test('lists the operations', async () => {
    const text = await page.locator('#operations').innerText();
    expect(text).toContain('/v1/graphql');
    expect(text).toContain('/auth/workflow-sdk/init-token');
  });

  test('opens an operation by keyboard, and sends it', async () => {
    await page.getByRole('button', { name: /^GET \/v1\/version/ }).focus();
    await page.keyboard.press('Enter');
    const operation = page.locator('#operations-service-getVersion');
    await operation.getByRole('button', { name: 'Try it out' }).click();
    await operation.getByRole('button', { name: 'Execute' }).click();
    const answer = operation.locator('.live-responses-table');
    await expect.poll(() => answer.innerText()).toContain('"server_type": "rowgate"');
  });

  test('shows an example of a body that could be sent', async () => {
    await page.getByRole('button', { name: /^POST \/auth\/kyc-sdk/ }).click();
    const example = page.locator('#operations-tokens-issueKycSdkToken .body-param__example');
    await expect.poll(() => example.innerText()).toContain('"userId": "local|alder-investor"');
  });

  test.each([1280, 390])('needs no scrolling to the side at a width of %i', async (width) => {
    await page.setViewportSize({ width, height: 900 });
    const wide = await page.evaluate('document.documentElement.scrollWidth');
    expect(wide).toBeLessThanOrEqual(width);
  });

  test('asks this server alone, and tells of no mistake', () => {
    expect(requested.length).toBeGreaterThan(5);
    const elsewhere = requested.filter(
      (url) => !url.startsWith('data:') && !url.startsWith(`${server.url}/`),
    );
    expect(elsewhere).toEqual([]);
    expect(failures).toEqual([]);
  });
});
