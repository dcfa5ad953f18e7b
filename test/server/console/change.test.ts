

import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInBrowser } from '../../support/chromium.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { startTestServer, type TestServer } from '../../support/http.ts';
import { type ConsolePage, openConsole } from './support/console-page.ts';

describeInBrowser('changing rules in the console (needs /usr/bin/chromium)', () => {
  let database: TestDatabase;
  let server: TestServer;
  let opened: ConsolePage;

  beforeAll(async () => {
    database = await createDatabase({ from: 'applied' });
    const environment = { ROWGATE_CONSOLE: 'on' };
    server = await startTestServer({ database, environment });
    opened = await openConsole(server.url, server.adminSecret);
  });
  afterAll(async () => {
    await opened.close();
    await server.stop();
    await database.drop();
  });

  test('x', async () => {
    const { page } = opened;
    await opened.go('change?file=tables/invoice.yaml');
    await page.getByRole('textbox', { name: 'YAML of' }).waitFor();
    await page.screenshot({ path: '/tmp/ch-1.png' });
    await page.getByText('internal_notes, updated_at').click();
    await page.keyboard.press('Control+Home');
    for (let i = 0; i < 28; i++) await page.keyboard.press('ArrowDown');
    await page.screenshot({ path: '/tmp/ch-2.png' });
    console.log(await page.locator('.cm-content').innerText());
    console.log(opened.failures);
  });
});
