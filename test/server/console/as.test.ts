import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeLogger } from '../../../server/log/log.ts';
import { askAxe } from '../../support/axe.ts';
import { describeInBrowser } from '../../support/chromium.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { startTestServer, type TestServer } from '../../support/http.ts';
import { LogCapture } from '../../support/log-capture.ts';
import { query } from '../../support/query.ts';
import { type ConsolePage, openConsole } from './support/console-page.ts';
import { checkPictures } from './support/pictures.ts';

const markup = '<img src=x onerror=alert(1)>';
const lost = '50000000-0000-4000-8000-000000000009';

describeInBrowser('the screen As on the demo data (needs /usr/bin/chromium)', () => {
  const log = new LogCapture();
  let database: TestDatabase;
  let server: TestServer;
  let opened: ConsolePage;
  beforeAll(async () => {
    database = await createDatabase({ from: 'applied' });
    const logger = makeLogger({ logLevel: 'debug', headerPrefix: 'X-Gql-' }, log);
    const environment = { ROWGATE_CONSOLE: 'on' };
    server = await startTestServer({ database, environment, logger });
    opened = await openConsole(server.url, server.adminSecret);
  });
  afterAll(async () => {
    await opened.close();
    await server.stop();
    await database.drop();
  });

  const asPerson = async (person: string, role: string, table: string) => {
    await opened.go(`as?table=${table}`);
    const { page } = opened;
    await page.getByLabel('Or a person').fill(person);
    await page.getByRole('button', { name: 'Find people' }).click();
    await page.getByRole('button', { name: `as ${role}`, exact: true }).click();
    await page.getByRole('region', { name: `Rows of ${table}` }).waitFor();
  };
  /** Looks at a table as the investor of Dogwood, who has lost access to a fund. */
  const asInvestor = (table: string) => asPerson('Dogwood-Investor', 'investor', table);
  const rows = () => opened.page.getByRole('region', { name: 'Rows of' }).locator('tbody tr');
  const outcome = () => opened.page.getByRole('region', { name: 'Outcome' });

  test('a person is found, and the tables of the role are listed', async () => {
    await opened.go('as?role=investor');
    const { page } = opened;
    await page.getByLabel('Or a person').fill('dogwood-inv');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'as investor' }).click();
    await page
      .getByText('You see what investor@dogwood.example (local|dogwood-investor) sees as investor')
      .waitFor();
    await page.getByRole('link', { name: 'public.fund_subscription' }).click();
    await expect.poll(() => rows().count()).toBe(2);
    expect(await rows().first().innerText()).toContain('150000');
    await page.goBack();
    await page.getByRole('heading', { name: 'Tables that investor may read' }).waitFor();
  });

  test('values that the role does not get are marked, with the reason', async () => {
    await asInvestor('public.fund_subscription');
    const { page } = opened;
    expect(await page.getByRole('columnheader', { name: /^currency/ }).innerText()).toContain(
      '⊘ not in the rule',
    );
    await page
      .getByRole('button', { name: /^Open the row/ })
      .first()
      .click();
    const details = page.getByRole('region', { name: /^Row id = / });
    const currency = details.getByRole('row', { name: 'currency' });
    expect(await currency.innerText()).toContain('GBP\tno: the rule does not list the column');
    expect(await details.getByRole('row', { name: 'status' }).innerText()).toBe(
      'status\tactive\tyes',
    );
  });

  test('answers why an investor does not see a subscription, and keeps the answer as a test', async () => {
    await asInvestor('public.fund_subscription');
    const { page } = opened;
    await page.getByRole('button', { name: 'Show rows that the role does not see' }).click();
    await page.getByRole('button', { name: `Open the row id = ${lost}` }).click();
    await page.getByText('investor does not see this row').waitFor();
    await page.getByRole('button', { name: 'Why not this row?' }).click();
    await outcome().getByText('✗ role investor may not select').waitFor();
    const conditions = await outcome().locator('.as-conditions li li').allInnerTexts();
    expect(conditions).toEqual([
      "✓ true user_id is the caller's X-Gql-User-Id [user_id = local|dogwood-investor]",
      expect.stringMatching(/^✗ false fund_id is one of .*X-Gql-Allowed-Funds \[fund_id = 4000/),
    ]);
    await page.evaluate("scrollTo(0, 0); document.querySelector('.details').scrollTop = 190");
    await checkPictures(page, 'as');
    await outcome().getByText('Keep as a test').click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('investor-public.fund_subscription.yaml');
    const kept = await readFile(await download.path(), 'utf8');
    expect(kept).toContain('matrix: { investor: { row: [] } }');
    expect(kept).toBe(await outcome().locator('pre').innerText());
  });

  test('relationships lead to the related rows', async () => {
    await query(database.superuserUrl, `update public.fund set name = '${markup}'`);
    await asInvestor('public.fund_subscription');
    const { page } = opened;
    await page
      .getByRole('button', { name: /^Open the row/ })
      .first()
      .click();
    await page.getByRole('link', { name: 'fund', exact: true }).click();
    await page.getByRole('heading', { name: /^public\.fund where id = 4000/ }).waitFor();
    expect(await rows().allInnerTexts()).toEqual([expect.stringContaining(markup)]);
  });

  test('a write is tried with typed values and undone', async () => {
    await asPerson('cedar-funds', 'fund_manager', 'public.fund_subscription');
    const { page } = opened;
    await page.getByRole('button', { name: 'Try an insert' }).click();
    const form = page.getByRole('region', { name: 'Try an insert' });
    await form.getByLabel(/^subscription_amount/).fill('125000');
    await form.getByLabel(/^user_id/).fill('local|alder-investor');
    await form.getByLabel(/^fund_id/).fill('40000000-0000-4000-8000-000000000001');
    await form.getByLabel(/^currency/).fill('USD');
    const submit = form.getByRole('button', { name: 'Try the insert, and undo it' });
    await submit.click();
    await outcome().waitFor();
    expect(await outcome().innerText()).toContain('✓ role fund_manager may insert');
    expect(await form.getByRole('row', { name: 'status' }).innerText()).toContain('draft');
    await form.getByLabel('What to write into status').selectOption('null');
    await submit.click();
    await form.getByText('✗ role fund_manager may not insert').waitFor();
    await form.getByText('role fund_manager may not insert the column status').waitFor();
    const amounts = `select 1 from public.fund_subscription where subscription_amount = 125000`;
    expect((await query(database.superuserUrl, amounts)).length).toBe(0);
  });

  test('by the keyboard alone, a row is found by its key and its refusal is read', async () => {
    await opened.go('matrix');
    const { page } = opened;
    await page.keyboard.press('Control+k');
    await page.keyboard.type('look data auditor');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'public.invoice', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Row with id').focus();
    await page.keyboard.type('00000000-0000-4000-8000-00000000dead');
    await page.keyboard.press('Enter');
    await page.getByText('auditor sees no such row').waitFor();
    await page.goBack();
    const first = page.getByRole('button', { name: /^Open the row/ }).first();
    await first.focus();
    await page.keyboard.press('Enter');
    await page.locator('h2:focus').waitFor();
    for (const key of ['Tab', 'Tab', 'Tab', 'Enter']) await page.keyboard.press(key);
    await page.getByRole('button', { name: 'Try the delete, and undo it' }).focus();
    await page.keyboard.press('Enter');
    await outcome().getByText('role auditor has no rule for delete on public.invoice').waitFor();
    await page.keyboard.press('Escape');
    expect(await page.getByRole('region', { name: /^Row id/ }).count()).toBe(0);
    expect(await page.locator(':focus').getAttribute('aria-label')).toBe('Rows of public.invoice');
  });

  test('long lists page on the server, and going back finds the page before', async () => {
    await query(
      database.superuserUrl,
      `insert into public.coin_price (coin, quoted_at, price, source)
       select 'AAA', pg_catalog.now() - n * interval '1 hour', n, 'test' from generate_series(1, 300) n`,
    );
    await opened.go('as?role=auditor&table=public.coin_price');
    const { page } = opened;
    await expect.poll(() => rows().count()).toBe(50);
    const first = await rows().first().innerText();
    await page.getByRole('link', { name: 'Next rows' }).click();
    await expect.poll(() => rows().first().innerText()).not.toBe(first);
    expect(await rows().count()).toBe(50);
    await page.goBack();
    await expect.poll(() => rows().first().innerText()).toBe(first);
  });

  test('asks for the session variables again after the page was loaded again', async () => {
    await asInvestor('public.fund_subscription');
    await opened.page.reload();
    await opened.page.getByText('Give the session variables').waitFor();
    expect(await rows().count()).toBe(0);
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
    await asInvestor('public.fund_subscription');
    await page.getByRole('button', { name: 'Show rows that the role does not see' }).click();
    await page.getByRole('button', { name: 'Try an insert' }).click();
    await page.getByRole('button', { name: `Open the row id = ${lost}` }).click();
    await page.getByRole('button', { name: 'Why not this row?' }).click();
    await outcome().getByText('Keep as a test').click();
    const { faults, obeyed } = await askAxe(page);
    expect(faults).toEqual([]);
    expect(obeyed).toContain('color-contrast');
    const overflow = `(({ scrollWidth, clientWidth, scrollHeight }) =>
      [scrollWidth - clientWidth, scrollHeight - Math.ceil(document.body.getBoundingClientRect().height)])(document.documentElement)`;
    expect(await page.evaluate(overflow)).toEqual([0, 0]);
  });

  test('no value of a row or person stands in the address, the history, the storage or the log', async () => {
    const { page } = opened;
    await asInvestor('public.fund_subscription');
    await page
      .getByRole('button', { name: /^Open the row/ })
      .first()
      .click();
    const kept = await page.evaluate(
      'JSON.stringify([location.href, history.state, { ...localStorage }, { ...sessionStorage }])',
    );
    const requested = opened.requested.join('\n');
    for (const text of [String(kept), requested, log.text]) {
      expect(text).not.toMatch(/dogwood|50000000-0000|150000/i);
    }
    expect(log.text).toContain('/admin/as/rows');
  });

  test('the pages have sent no request to another host, and no script has failed', () => {
    expect(
      opened.requested.filter((one) => /^http/.test(one) && !one.startsWith(server.url)),
    ).toEqual([]);
    expect(opened.failures).toEqual([]);
  });
});
