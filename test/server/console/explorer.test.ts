import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { askAxe } from '../../support/axe.ts';
import { describeInBrowser } from '../../support/chromium.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { startTestServer, type TestServer } from '../../support/http.ts';
import { query } from '../../support/query.ts';
import { type ConsolePage, openConsole } from './support/console-page.ts';
import { checkPictures } from './support/pictures.ts';

describeInBrowser('the explorer on the demo data (needs /usr/bin/chromium)', () => {
  let database: TestDatabase;
  let server: TestServer;
  let opened: ConsolePage;
  beforeAll(async () => {
    database = await createDatabase({ from: 'applied' });
    server = await startTestServer({ database, environment: { ROWGATE_CONSOLE: 'on' } });
    opened = await openConsole(server.url, server.adminSecret);
  });
  beforeEach(() => openAs('auditor'));
  afterAll(async () => {
    await opened.close();
    await server.stop();
    await database.drop();
  });

  /** Opens the screen, and waits for the schema of the role. */
  async function openAs(role: string): Promise<void> {
    await opened.go(`explorer?role=${role}`);
    await opened.page.locator('[aria-busy=false]').waitFor();
  }

  const operation = () => opened.page.getByRole('textbox', { name: 'Operation', exact: true });
  const variables = () => opened.page.getByRole('textbox', { name: 'Variables, as JSON' });
  const answer = () => opened.page.getByRole('textbox', { name: 'Answer' });
  const status = () => opened.page.getByRole('status').innerText();
  const asked = (path: string) => opened.requested.filter((one) => one.includes(path)).length;

  /** Replaces the text of an editor by the keyboard. */
  async function write(editor: Locator, text: string): Promise<void> {
    await editor.focus();
    await opened.page.keyboard.press('Control+a');
    await opened.page.keyboard.insertText(text);
  }

  async function run(text: string): Promise<void> {
    await write(operation(), text);
    await opened.page.keyboard.press('Control+Enter');
  }

  const markup = '<img src=x onerror=alert(1)>';
  const prices = 'query Prices($n: Int) { coin_price(limit: $n) { coin price } }';

  describe('the editor', () => {
    test('completes the fields of the role, with their descriptions', async () => {
      const { page } = opened;
      await write(operation(), '{ coin_pr');
      await page.keyboard.press('Control+Space');
      const options = page.getByRole('option');
      await expect
        .poll(() => options.allInnerTexts())
        .toContainEqual(expect.stringMatching(/^coin_price\b/));
      await page.getByText('fetch data from the table: "coin_price"').first().waitFor();
      await options.filter({ hasText: 'coin_price' }).first().click();
      expect(await operation().innerText()).toContain('{ coin_price');
    });

    test('marks a field that the role may not read, and describes the name under the pointer', async () => {
      const { page } = opened;
      await write(operation(), '{ coin_price { price secret } }');
      await page.locator('.cm-lintRange-error').waitFor();
      await page.getByText('price', { exact: true }).last().hover();
      await page.getByText('coin_price.price').waitFor();
    });

    test('a document of comments alone has no mistake', async () => {
      await write(operation(), '# the prices of coins\n');
      // Both editors check their texts after the same pause, the operation first.
      await write(variables(), '{ "n": ');
      const mistakesIn = (editor: Locator) => editor.locator('.cm-lintPoint-error').count();
      await expect.poll(() => mistakesIn(variables())).toBe(1);
      expect(await mistakesIn(operation())).toBe(0);
    });

    test('lets Tab leave it, and indent after Ctrl-M', async () => {
      const { page } = opened;
      await write(operation(), 'query');
      await page.keyboard.press('Tab');
      expect(await variables().and(opened.page.locator(':focus')).count()).toBe(1);
      await operation().focus();
      await page.keyboard.press('Control+m');
      await page.keyboard.press('Tab');
      expect(await operation().and(opened.page.locator(':focus')).count()).toBe(1);
      expect(await operation().innerText()).toMatch(/^ +query/);
    });
  });

  test('runs an operation with its variables, and shows rows and time', async () => {
    await write(variables(), '{ "n": 3 }');
    await run(prices);
    await expect.poll(status).toMatch(/^3 rows · \d+ ms$/);
    expect(await answer().innerText()).toContain('"coin_price": [');
    expect(await answer().getAttribute('aria-readonly')).toBe('true');
  });

  test('shows the refusal of the role in words', async () => {
    await run(`{ coin_price(where: { secret: { _eq: "${markup}" } }) { coin } }`);
    await expect.poll(status).toMatch(/^The operation was refused, or failed/);
    expect(await answer().innerText()).toContain('role \\"auditor\\" has no permission for it');
    expect(await opened.page.getByRole('button', { name: '<img src=x' }).count()).toBe(1);
    expect(await opened.page.locator('main img').count()).toBe(0);
  });

  test('sends session variables, and keeps no value in the address or in the storage', async () => {
    const { page } = opened;
    await openAs('user');
    const [user] = await query<{ readonly id: string }>(
      database.superuserUrl,
      'select id from public."user" order by id limit 1',
    );
    const id = user?.id ?? '';
    await page.getByLabel('X-Gql-User-Id (required)').fill(id);
    await run('{ user { id } }');
    await expect.poll(status).toMatch(/^1 row ·/);
    await run(`{ user(where: { id: { _eq: "${id}" } }) { id } }`);
    await expect.poll(() => new URL(page.url()).searchParams.has('query')).toBe(false);
    await page.getByText('replace the values in its arguments by variables').waitFor();
    expect(await page.getByRole('button', { name: 'Save in this browser' }).isDisabled()).toBe(
      true,
    );
    const kept = await page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }])',
    );
    expect(`${kept} ${page.url()} ${opened.requested.join()}`).not.toContain(id);
  });

  test('the address leads to the same operation, and the schema is asked for once', async () => {
    const before = asked('/admin/schema');
    await run(prices);
    await expect.poll(() => opened.page.url()).toContain('query=query+Prices');
    await run(prices.replace('price }', '}'));
    await expect.poll(() => opened.page.url()).not.toContain('price+%7D+%7D');
    expect(asked('/admin/schema') - before).toBe(0);
    await opened.page.reload();
    await expect.poll(() => operation().innerText()).toContain('query Prices');
    expect(await opened.page.getByRole('combobox', { name: 'Role' }).inputValue()).toBe('auditor');
    await expect.poll(() => asked('/admin/schema') - before).toBe(1);
  });

  test('shows SQL and plan beside the answer', async () => {
    const { page } = opened;
    await run(prices);
    await page.getByLabel('run it and measure').check();
    await page.getByRole('button', { name: 'Show SQL and plan' }).click();
    const plan = page.getByRole('region', { name: 'SQL and plan' });
    await plan.getByRole('figure').first().waitFor();
    const [sql, nodes] = await plan.getByRole('figure').allInnerTexts();
    expect(sql).toContain('select');
    expect(nodes).toMatch(/on coin_price.*rows \(really \d+\), cost/);
    expect(await plan.innerText()).toMatch(/measured [\d.]+ ms/);
  });

  describe('a mutation', () => {
    const mutation =
      'mutation Read { update_notification(where: {}, _set: { title: "Read" }) { affected_rows } }';

    test('cannot run on a server that allows no lasting changes by the console', async () => {
      const environment = { ROWGATE_CONSOLE: 'on', ROWGATE_CONSOLE_WRITES: 'off' };
      const other = await startTestServer({ database, environment });
      const { page, go, close } = await openConsole(other.url, other.adminSecret);
      await go(`explorer?${new URLSearchParams({ role: 'admin', query: mutation })}`);
      const button = page.getByRole('button', { name: 'Run' });
      await page.getByText('Read only: to allow the acts of this screen').waitFor();
      expect(await button.getAttribute('aria-disabled')).toBe('true');
      await button.focus();
      await page.keyboard.press('Enter');
      expect(await page.getByRole('alertdialog').count()).toBe(0);
      await close();
      await other.stop();
    });

    test('asks before it runs, and changes nothing when it is cancelled', async () => {
      const { page } = opened;
      await openAs('admin');
      const before = asked('/admin/graphql');
      await run(mutation);
      const dialog = page.getByRole('alertdialog', { name: 'Run the mutation as admin?' });
      expect(await dialog.innerText()).toContain('The console cannot undo it');
      await page.keyboard.press('Escape');
      await expect.poll(() => dialog.count()).toBe(0);
      expect(asked('/admin/graphql') - before).toBe(0);
      await run(mutation);
      await dialog.getByRole('button', { name: 'Run the mutation' }).click();
      await expect.poll(() => answer().innerText()).toContain('affected_rows');
      expect(asked('/admin/graphql/write')).toBe(1);
    });
  });

  test('a subscription shows each answer, and closes when it is stopped', async () => {
    const { page } = opened;
    await openAs('admin');
    await run('subscription { notification_aggregate { aggregate { count } } }');
    await expect.poll(status).toMatch(/^Live: answer 1/);
    await query(database.superuserUrl, 'delete from public.notification');
    await expect.poll(status).toMatch(/^Live: answer 2/);
    expect(await answer().innerText()).toContain('"count": 0');
    const closed = page.waitForEvent('requestfailed');
    await page.getByRole('button', { name: 'Stop' }).click();
    await expect.poll(status).toMatch(/^Ended after 2 answers/);
    expect((await closed).url()).toBe(`${server.url}/admin/graphql`);
  });

  test('saves, opens and deletes an operation, whatever its name is', async () => {
    const { page } = opened;
    const name = markup;
    await write(operation(), prices);
    await page.getByLabel('Save the operation as').fill(name);
    await page.keyboard.press('Enter');
    await openAs('auditor');
    await page.getByRole('button', { name, exact: true }).click();
    await expect.poll(() => operation().innerText()).toContain('query Prices');
    expect(await page.locator('main img').count()).toBe(0);
    await page.getByRole('button', { name: `Delete ${name}` }).click();
    await page.getByRole('button', { name: 'Delete the operation' }).click();
    await expect.poll(() => page.getByRole('button', { name, exact: true }).count()).toBe(0);
    expect(await page.evaluate('localStorage["rowgate-console-operations"]')).toBe('[]');
  });

  test('opens an operation that ran before, in its role', async () => {
    const { page } = opened;
    await run('{ coin_price(limit: 1) { coin } }');
    await expect.poll(status).toMatch(/^1 row/);
    await page.getByRole('combobox', { name: 'Role' }).selectOption('accounting');
    await write(operation(), '{ coin_price { price } }');
    // Leaves the screen, and returns to the same text and history.
    await page.getByRole('link', { name: 'Rule' }).click();
    await page.getByRole('link', { name: 'Explorer' }).click();
    await expect.poll(() => operation().innerText()).toContain('price');
    await page.getByRole('button', { name: '{ coin_price(limit: 1) { coin } }' }).click();
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Role' }).inputValue())
      .toBe('auditor');
    await expect.poll(() => operation().innerText()).toContain('limit: 1');
  });

  test.each([
    ['{ coin_price', 'The operation is not complete'],
    [prices, 'The variables are not JSON'],
  ])('says why %s cannot run', async (text, words) => {
    await write(variables(), '{ "n": ');
    await run(text);
    expect(await opened.page.getByRole('alert').innerText()).toContain(words);
  });

  test.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 390],
    ['dark', 390],
  ] as const)('in %s and %s pixels wide, axe finds no fault', async (colorScheme, width) => {
    const { page } = opened;
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    await page.getByText('Optional session variables').click();
    await run('query Prices { coin_price(limit: 3) { coin price } }');
    await expect.poll(status).toMatch(/^3 rows/);
    await page.getByRole('button', { name: 'Show SQL and plan' }).click();
    await page.getByRole('figure').first().waitFor();
    const { faults, obeyed } = await askAxe(page);
    expect(faults).toEqual([]);
    expect(obeyed).toContain('color-contrast');
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(overflow)).toBe(0);
  });

  test('the documentation has a picture of the explorer', async () => {
    await run(
      'query Prices {\n  coin_price(limit: 2, order_by: { quoted_at: desc }) {\n    coin\n    price\n  }\n}',
    );
    await expect.poll(status).toMatch(/^2 rows/);
    await checkPictures(opened.page, 'explorer');
  });

  test('the page has sent no request to another host, and its policy was never violated', () => {
    expect(opened.requested.filter((one) => !one.startsWith(server.url))).toEqual([]);
    expect(opened.failures).toEqual([]);
  });
});
