import { cp, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { describeInBrowser } from '../../support/chromium.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { platformMetadata, startTestServer, type TestServer } from '../../support/http.ts';
import { type ConsolePage, openConsole } from './support/console-page.ts';

describeInBrowser('changing rules in the console (needs /usr/bin/chromium)', () => {
  let database: TestDatabase;
  let server: TestServer;
  let opened: ConsolePage;
  let metadata: string;

  beforeAll(async () => {
    database = await createDatabase({ from: 'platform' });
    metadata = await mkdtemp(path.join(inject('scratch'), 'changed-'));
    await cp(platformMetadata, metadata, { recursive: true });
    // PostGraphile's dialect would build a schema of all tables.
    await rm(path.join(metadata, 'graphile.yaml'));
    server = await startTestServer({ database, metadata, environment: { ROWGATE_CONSOLE: 'on' } });
    opened = await openConsole(server.url, server.adminSecret);
  });
  afterAll(async () => {
    await opened.close();
    await server.stop();
    await database.drop();
  });

  test('x', async () => {
    const { page } = opened;
    await opened.go('rule?role=organization_admin&table=public.invoice&operation=select');
    await page.getByText('What depends on it').waitFor();
    await page.getByRole('button', { name: 'Compare the plans' }).click();
    await page.getByText('Postgres estimates').waitFor();
    await page.screenshot({ path: '/tmp/ch-r.png', fullPage: true });
    await opened.go('change?file=tables/invoice.yaml');
    await page.getByRole('textbox', { name: 'YAML of' }).waitFor();
    await page.screenshot({ path: '/tmp/ch-1.png' });
    const line = page.locator('.cm-line', { hasText: 'own_organization' });
    await line.click();
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+End');
    await page.keyboard.type('filter: { ');
    await page.keyboard.press('Control+Space');
    await page.locator('.cm-tooltip-autocomplete').waitFor();
    await page.screenshot({ path: '/tmp/ch-2.png' });
    await page.keyboard.type('tot');
    await page.screenshot({ path: '/tmp/ch-2b.png' });
    await page.keyboard.press('Enter');
    await page.keyboard.type('{ _g');
    await page.keyboard.press('Control+Space');
    await page.locator('.cm-tooltip-autocomplete').waitFor();
    await page.screenshot({ path: '/tmp/ch-2c.png' });
    await page.keyboard.press('Enter');
    await page.keyboard.type('5');
    await page.getByText('dangerous;').waitFor();
    await page.screenshot({ path: '/tmp/ch-3.png' });
    await page.getByRole('button', { name: 'Count existing rows' }).click();
    await page.getByText('Existing rows gained').first().waitFor();
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.screenshot({ path: '/tmp/ch-4.png', fullPage: true });
    await page.getByRole('button', { name: 'Run the tests' }).click();
    await page.screenshot({ path: '/tmp/ch-5.png' });
    await page
      .getByRole('dialog')
      .or(page.getByRole('alertdialog'))
      .getByRole('button', { name: 'Run the tests' })
      .click();
    const t = performance.now();
    await page
      .getByText('expectations hold')
      .waitFor({ timeout: 35_000 })
      .catch(() => {});
    console.log('tests', performance.now() - t);
    await page.screenshot({ path: '/tmp/ch-6.png', fullPage: true });
    await page.getByRole('button', { name: 'Plan an apply' }).click();
    await page.getByText('nothing to change').waitFor();
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 390, height: 800 });
    await page.screenshot({ path: '/tmp/ch-7.png', fullPage: true });
    console.log(await page.locator('.cm-content').innerText());
    console.log(opened.failures);
  });
});
