import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInBrowser } from '../../support/chromium.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { startTestServer, type TestServer } from '../../support/http.ts';
import { type ConsolePage, openConsole } from './support/console-page.ts';

describeInBrowser('the explorer on the demo data (needs /usr/bin/chromium)', () => {
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

  test('the screen', async () => {
    const { page } = opened;
    await page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (e) => {
        const t = e.composedPath()[0] as Element;
        console.log('VIOL', e.violatedDirective, e.sample, e.sourceFile, e.lineNumber, e.columnNumber, t.nodeName, t.className, (t as any).outerHTML?.slice(0, 300));
      });
      const w = new WeakSet();
    });
    page.on('console', (m) => { if (m.text().includes('VIOL')) console.log(m.text()); });
    await opened.go('explorer?role=auditor');
    const editor = page.getByRole('textbox', { name: 'Operation', exact: true });
    await editor.click();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('query A($n: Int) {\n co');
    await page.waitForTimeout(1000);
    await page.keyboard.press('Control+Space');
    await page.waitForTimeout(1000);
    await page.screenshot({ path: '/tmp/ex1.png' });
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('query A($n: Int) {\n coin_price(limit: $n) { id ');
    await page.getByRole('textbox', { name: 'Variables, as JSON' }).click();
    await page.keyboard.type('{"n": 3}');
    await page.keyboard.press('Control+Enter');
    await page.waitForTimeout(1500);
    await page.getByRole('button', {name: 'Show SQL'}).click();
    await page.waitForTimeout(1500);
    await page.screenshot({ path: '/tmp/ex2.png', fullPage: true });
    console.log(page.url(), await page.getByRole('status').allInnerTexts());
    await page.getByLabel('Theme').selectOption('dark');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.waitForTimeout(500);
    await page.screenshot({ path: '/tmp/ex3.png', fullPage: true });
    console.log(opened.failures, opened.requested.filter(x => !x.includes('assets')));
  });
});
