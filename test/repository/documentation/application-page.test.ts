import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type LocalIssuer,
  startLocalIssuer,
} from '../../server/platform/accounts/support/local-issuer.ts';
import { describeInBrowser, sharedBrowser } from '../../support/chromium.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { readPage } from '../../support/documentation.ts';
import { startTestServer, type TestServer } from '../../support/http.ts';

const { text } = readPage('docs/clients/authentication.md');
const [, example = ''] = /```html\n([\s\S]*?)```/.exec(text) ?? [];

describeInBrowser(
  'the example page of docs/clients/authentication.md, in a browser (needs /usr/bin/chromium)',
  () => {
    let database: TestDatabase;
    let issuer: LocalIssuer;
    let application: Server;
    let foreign: Server;
    let server: TestServer;
    let browser: Browser;

    beforeAll(async () => {
      [application, foreign] = await Promise.all([servePage(), servePage()]);
      database = await createDatabase({ from: 'applied' });
      issuer = await startLocalIssuer();
      const environment = { ...issuer.environment, ROWGATE_APP_ORIGINS: originOf(application) };
      server = await startTestServer({ database, rest: true, environment });
      browser = await sharedBrowser();
    });
    afterAll(async () => {
      await server.stop();
      await issuer.stop();
      application.close();
      foreign.close();
      await database.drop();
    });

    function servePage(): Promise<Server> {
      const page = createServer((_request, response) => {
        response.setHeader('Content-Type', 'text/html');
        response.end(example.replace('https://api.example.com', server.url));
      });
      return new Promise((resolve) => page.listen(0, '127.0.0.1', () => resolve(page)));
    }

    /** Opens the example page at an origin. A script that replaces the identity provider returns a valid token. */
    async function openAt(origin: string) {
      const page = await browser.newPage();
      const token = await issuer.tokenFor('local|birch-admin');
      await page.addInitScript(
        `window.provider = { getAccessToken: async () => ${JSON.stringify(token)} }`,
      );
      await page.goto(origin);
      return page;
    }

    test('signs in and queries with the session cookie', async () => {
      const page = await openAt(originOf(application));
      await page.getByRole('button', { name: 'Sign in' }).click();
      const shown = page.locator('pre');
      await expect
        .poll(() => shown.innerText(), { timeout: 60_000 })
        .toContain('"digital_wallet":[{"label":"Birch');
      const [cookie, ...others] = await page.context().cookies(server.url);
      expect(others).toEqual([]);
      expect(cookie).toMatchObject({ name: 'rowgate.sid', httpOnly: true, sameSite: 'Lax' });
      await page.close();
    });

    test('gets no data at an origin that ROWGATE_APP_ORIGINS does not list', async () => {
      const page = await openAt(originOf(foreign));
      const failure = page.waitForEvent('pageerror');
      await page.getByRole('button', { name: 'Sign in' }).click();
      expect((await failure).message).toContain('Failed to fetch');
      expect(await page.locator('pre').innerText()).toBe('');
      await page.close();
    });
  },
);

function originOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
