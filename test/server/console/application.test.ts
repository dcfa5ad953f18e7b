import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeLogger } from '../../../server/log/log.ts';
import { askAxe } from '../../support/axe.ts';
import { describeInBrowser } from '../../support/chromium.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { startTestServer, type TestServer } from '../../support/http.ts';
import { LogCapture } from '../../support/log-capture.ts';
import { query } from '../../support/query.ts';
import { storeKey } from '../platform/accounts/api-keys/stored-key.ts';
import { Browser } from '../platform/accounts/support/browser.ts';
import { type LocalIssuer, startLocalIssuer } from '../platform/accounts/support/local-issuer.ts';
import { type ConsolePage, openConsole } from './support/console-page.ts';
import { checkPictures } from './support/pictures.ts';

const boss = 'local|cedar-admin';
const person = 'local|cedar-desk';
const markup = '<img src=x onerror=alert(1)>';

describeInBrowser('the screen of the application (needs /usr/bin/chromium)', () => {
  const log = new LogCapture();
  let database: TestDatabase;
  let issuer: LocalIssuer;
  let server: TestServer;
  let opened: ConsolePage;
  beforeAll(async () => {
    database = await createDatabase({ from: 'applied' });
    issuer = await startLocalIssuer();
    const logger = makeLogger({ logLevel: 'debug', headerPrefix: 'X-Gql-' }, log);
    const environment = { ...issuer.environment, ROWGATE_CONSOLE: 'on' };
    server = await startTestServer({ database, rest: true, environment, logger });
    await run(`update public."user" set platform_admin = true where id = '${boss}'`);
    await storeKey(await database.connectOwner(), { scopes: ['case:read'] });
    opened = await openConsole(server.url, server.adminSecret);
  });
  afterAll(async () => {
    await opened.close();
    await server.stop();
    await issuer.stop();
    await database.drop();
  });

  const run = (sql: string) => query(database.superuserUrl, sql);
  const row = (text: string) => opened.page.locator('tbody tr').filter({ hasText: text });
  const search = async (text: string) => {
    await opened.page.getByRole('searchbox').fill(text);
    await opened.page.keyboard.press('Enter');
    await expect.poll(() => opened.page.locator('tbody tr').count()).toBe(1);
  };
  const done = () => opened.page.getByRole('status').innerText();

  test('ends the session of a person by the keyboard alone, after saying what will happen', async () => {
    const browser = new Browser(server);
    await browser.exchange(await issuer.tokenFor(person), { 'User-Agent': 'Firefox' });
    await opened.go('application');
    const { page } = opened;
    await page.getByRole('searchbox').focus();
    await page.keyboard.type('desk@cedar');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    await page.getByRole('button', { name: 'Sessions of desk@cedar.example' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Sessions of desk@cedar.example' }).waitFor();
    expect(await page.locator('h2:focus').innerText()).toBe('Sessions of desk@cedar.example');
    await page.getByRole('checkbox').focus();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'End the sessions' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('alertdialog', { name: `End 1 session of ${person}?` });
    expect(await dialog.innerText()).toMatch(/begun .*Firefox[\s\S]*cannot be undone/);
    expect((await browser.fetch('/auth/session')).status).toBe(200);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(done).toBe('Ended 1 session.');
    await page.getByText('No session.').waitFor();
    expect((await browser.fetch('/auth/session')).status).toBe(401);
  });

  test('grants a role to a person, and Escape does nothing', async () => {
    await opened.go('application?section=people');
    const { page } = opened;
    await search('desk@cedar');
    await page.getByRole('button', { name: 'Grant the role' }).click();
    expect(await page.getByRole('alert').innerText()).toContain('Choose one or more rows');
    await page.getByRole('checkbox', { name: 'Choose desk@cedar.example' }).check();
    await page.getByRole('combobox', { name: 'Role' }).selectOption('auditor');
    await page.getByRole('button', { name: 'Grant the role' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Grant the role auditor to 1 person?' });
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog.count()).toBe(0);
    expect(await row(person).innerText()).not.toContain('auditor');
    await page.getByRole('button', { name: 'Grant the role' }).click();
    await dialog.getByRole('button', { name: 'Grant the role' }).click();
    await expect.poll(done).toBe('Granted the role auditor to 1 person.');
    await expect.poll(() => row(person).innerText()).toContain('auditor');
  });

  test('keeps the dialog with the reason when something has changed in the meantime', async () => {
    await opened.go('application?section=people');
    const { page } = opened;
    await search('desk@cedar');
    await page.getByRole('checkbox').check();
    await page.getByRole('combobox', { name: 'Role' }).selectOption('compliance');
    await page.getByRole('button', { name: 'Grant the role' }).click();
    await page.getByRole('alertdialog').waitFor();
    await run(`insert into public.user_role values ('${person}', 'compliance')`);
    await page.getByRole('alertdialog').getByRole('button', { name: 'Grant the role' }).click();
    expect(await page.getByRole('alertdialog').getByRole('alert').innerText()).toContain(
      'something has changed in the meantime, so nothing was done',
    );
    await page.keyboard.press('Escape');
  });

  test('shows long lists page by page, and hostile texts as text', async () => {
    await run(`insert into public."user" (id, organization_id, email, full_name)
      select 'aaa|' || i, (select id from public.organization limit 1), 'aaa' || i || '@example', $$${markup}$$
      from generate_series(1, 120) i`);
    await opened.go('application');
    const { page } = opened;
    const count = () => page.locator('tbody tr').count();
    await expect.poll(count).toBe(50);
    expect(await page.locator('tbody').innerText()).toContain(markup);
    expect(await page.locator('main img').count()).toBe(0);
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(count).toBe(100);
    const all = (await run('select from public."user"')).length;
    while ((await count()) < all) {
      const before = await count();
      await page.getByRole('button', { name: 'Show more' }).focus();
      await page.keyboard.press('Enter');
      await expect.poll(count).toBeGreaterThan(before);
    }
    expect(await count()).toBe(all);
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
    const emails = await page.locator('tbody tr td:nth-child(2)').allInnerTexts();
    expect(new Set(emails).size).toBe(emails.length);
    await run(`delete from public."user" where id like 'aaa|%'`);
  });

  test('the address names the section, the list and its filter, and no value of a row', async () => {
    await opened.go('application?section=callbacks&list=received&filter=failed');
    const { page } = opened;
    await page.getByText('No callback.').waitFor();
    expect(await page.getByLabel('State').inputValue()).toBe('failed');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('people of');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'People' }).waitFor();
    await search('desk@cedar');
    await page.getByRole('button', { name: 'Sessions of' }).click();
    await page.getByRole('heading', { name: 'Sessions of desk@cedar.example' }).waitFor();
    expect(new URL(page.url()).search).toBe('?section=people&list=sessions');
    await page.reload();
    await page.getByRole('heading', { name: 'People', exact: true }).waitFor();
    const kept = await page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state])',
    );
    expect(kept).not.toContain('cedar');
    expect(opened.requested.filter((address) => address.includes('cedar'))).toEqual([]);
    expect(log.text).not.toContain('desk@cedar');
  });

  test.each([
    ['light', 1280, 'application'],
    ['dark', 1280, 'application?section=api-keys'],
    ['dark', 390, 'application'],
    ['light', 390, 'application?section=callbacks&list=refused'],
  ] as const)(
    'in %s and %s pixels wide, axe finds no fault at %s',
    async (colorScheme, width, path) => {
      const { page } = opened;
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      await opened.go(path);
      await expect.poll(() => page.locator('tbody tr, main section p').count()).toBeGreaterThan(2);
      await expect.poll(() => page.locator('.waiting').count()).toBe(0);
      const { faults, obeyed } = await askAxe(page);
      expect(faults).toEqual([]);
      expect(obeyed).toContain('color-contrast');
      const overflow =
        'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      expect(await page.evaluate(overflow)).toBe(0);
      await page.setViewportSize({ width: 1280, height: 800 });
    },
  );

  test('the screen Health shows the refused callbacks on request', async () => {
    const path = '/webhooks/on-card-webhook';
    const headers = { 'content-type': 'application/json' };
    await server.fetch(path, { method: 'POST', body: '{}', headers });
    await opened.go('health');
    const list = opened.page.getByRole('region', { name: 'Callbacks: refused' });
    await list.getByRole('button', { name: 'Show' }).click();
    await list.getByText('the provider is not configured here').waitFor();
  });

  test('the documentation has a picture of the screen', async () => {
    await opened.go('application');
    await opened.page.locator('tbody tr').first().waitFor();
    await checkPictures(opened.page, 'application');
  });

  test('an admin of the platform signs in with the session of the browser', async () => {
    const browser = new Browser(server);
    await browser.exchange(await issuer.tokenFor(boss));
    const context = await opened.page.context().browser()?.newContext();
    const page = await context?.newPage();
    if (!context || !page) throw new Error('there is no browser');
    await page.goto(`${server.url}/console`);
    await page.getByRole('button', { name: 'Sign in as yourself' }).click();
    expect(await page.getByRole('alert').innerText()).toContain('This browser has no session');
    expect((await askAxe(page)).faults).toEqual([]);
    const [name = '', value = ''] = browser.cookie.split(/=(.*)/s);
    await context.addCookies([{ name, value, url: server.url }]);
    await page.getByRole('button', { name: 'Sign in as yourself' }).click();
    await page.getByRole('grid').waitFor();
    expect(await page.locator('.actor').innerText()).toBe(`admin@cedar.example (${boss})`);
    await run('delete from rowgate_auth.session');
    await page.reload();
    await page.getByLabel('Admin secret').waitFor();
    await page.getByLabel('Token').fill(await issuer.tokenFor(boss));
    await page.keyboard.press('Enter');
    await page.getByRole('grid').waitFor();
    await context.close();
  });

  test('the pages have sent no request to another host, and no script has failed', () => {
    expect(opened.requested.filter((one) => !one.startsWith(server.url))).toEqual([]);
    // The refused act of the test above, which Chromium reports as an error.
    expect(opened.failures.filter((text) => !text.includes('409'))).toEqual([]);
  });
});
