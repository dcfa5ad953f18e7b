import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeInBrowser, sharedBrowser } from '../../support/chromium.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { startTestServer, type TestServer } from '../../support/http.ts';

let database: TestDatabase;
let server: TestServer;

beforeAll(async () => {
  database = await createDatabase({ from: 'applied' });
  server = await startTestServer({ database, rest: true, plugins: true });
});

afterAll(async () => {
  await server.stop();
  await database.drop();
});

describe('the page with the API documentation', () => {
  test('has no inline script and may connect to no other server', async () => {
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
    'loads the file %s',
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
  ])('answers 404 for the file %s', async (file) => {
    const response = await server.fetch(`/docs/${file}`);
    expect([response.status, await response.json()]).toMatchObject([404, { code: 'not-found' }]);
  });
});

describeInBrowser(
  'the page with the API documentation in a browser (needs /usr/bin/chromium)',
  () => {
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

    test('lists all operations of the API', async () => {
      const text = await page.locator('#operations').innerText();
      expect(text).toContain('/v1/graphql');
      expect(text).toContain('/auth/workflow-sdk/init-token');
    });

    test('opens an operation by keyboard and executes it', async () => {
      await page.getByRole('button', { name: /^GET \/v1\/version/ }).focus();
      await page.keyboard.press('Enter');
      const operation = page.locator('#operations-service-getVersion');
      await operation.getByRole('button', { name: 'Try it out' }).click();
      await operation.getByRole('button', { name: 'Execute' }).click();
      const answer = operation.locator('.live-responses-table');
      await expect.poll(() => answer.innerText()).toContain('"server_type": "rowgate"');
    });

    test('shows a valid example of a request body', async () => {
      await page.getByRole('button', { name: /^POST \/auth\/kyc-sdk/ }).click();
      const example = page.locator('#operations-tokens-issueKycSdkToken .body-param__example');
      await expect.poll(() => example.innerText()).toContain('"userId": "local|alder-investor"');
    });

    test.each([1280, 390])(
      'needs no horizontal scrolling at a width of %i pixels',
      async (width) => {
        await page.setViewportSize({ width, height: 900 });
        const wide = await page.evaluate('document.documentElement.scrollWidth');
        expect(wide).toBeLessThanOrEqual(width);
      },
    );

    test('requests nothing from other servers and logs no error', () => {
      expect(requested.length).toBeGreaterThan(5);
      const elsewhere = requested.filter(
        (url) => !url.startsWith('data:') && !url.startsWith(`${server.url}/`),
      );
      expect(elsewhere).toEqual([]);
      expect(failures).toEqual([]);
    });
  },
);
