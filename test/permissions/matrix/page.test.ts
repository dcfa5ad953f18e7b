import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askAxe } from '../../support/axe.ts';
import { describeInBrowser, sharedBrowser } from '../../support/chromium.ts';
import { runCommand } from '../../support/command-line.ts';
import { type Installation, makeInstallation } from '../support/installation.ts';
import { removeMetadata } from '../support/metadata-files.ts';
import { shopRules, shopSchema } from './schema.ts';

describeInBrowser('the page of rowgate matrix (needs /usr/bin/chromium)', () => {
  let made: Installation;
  let page: Page;
  let errors: string[];
  beforeAll(async () => {
    made = await makeInstallation({ schema: shopSchema, rules: shopRules });
    const file = path.join(made.metadata, 'matrix.html');
    const args = ['matrix', '--metadata', made.metadata, '--html', '--out', file];
    await runCommand(args, { DATABASE_URL: made.database.ownerUrl });
    page = await (await sharedBrowser()).newPage();
    errors = [];
    page.on('console', (message) => errors.push(message.text()));
    page.on('pageerror', (error) => errors.push(error.message));
    await page.goto(pathToFileURL(file).href);
  });
  afterAll(async () => {
    await page.close();
    await made.drop();
    await removeMetadata();
  });

  const answer = () => page.locator('#answer').innerText();
  const tables = () => page.locator('tbody th').allInnerTexts();

  test('shows every table and role, and names as text', async () => {
    expect(await tables()).toEqual(['public.item', 'od,d.=x|<b>', 'public.shop', 'public.staff']);
    expect(await page.locator('thead th').allInnerTexts()).toEqual([
      ...['table', 'owner', 'clerk', 'buyer', 'both\ninherits from clerk, buyer', 'idle'],
    ]);
  });

  test('shows the rules of the chosen cell', async () => {
    await page.getByRole('button', { name: 'both on public.item' }).click();
    expect(await answer()).toContain('price (in rows where shop_id is the caller');
    expect(await answer()).toContain('inherited from clerk, buyer');
  });

  test('answers who can use a column', async () => {
    await page.getByLabel('Who can use the column').fill('item.state');
    expect((await answer()).split('\n').filter(Boolean)).toEqual([
      ...['Who can use public.item.state', 'owner may select', 'all rows', 'buyer may select'],
      ...["rows where state is 'open'", 'both may select', "rows where state is 'open'"],
    ]);
    await page.getByLabel('Who can use the column').fill('item.nothing');
    expect(await answer()).toBe('There is no column item.nothing.');
  });

  test('filters tables by a word of a rule, a role and an operation', async () => {
    await page.getByLabel('Search').fill('Shop-Id');
    expect(await tables()).toEqual(['public.item']);
    await page.getByLabel('Search').fill('');
    await page.getByLabel('Role').selectOption('owner');
    await page.getByLabel('Operation').selectOption('insert');
    expect(await tables()).toEqual(['public.item', 'od,d.=x|<b>']);
    await page.getByLabel('Role').selectOption('clerk');
    expect(await page.locator('#grid').innerText()).toBe('No table matches.');
    await page.getByLabel('Role').selectOption('');
    await page.getByLabel('Operation').selectOption('');
  });

  test.each(['light', 'dark'] as const)('breaks no rule of axe in %s mode', async (colorScheme) => {
    await page.emulateMedia({ colorScheme });
    const { faults, obeyed } = await askAxe(page);
    expect(faults).toEqual([]);
    expect(obeyed).toContain('color-contrast');
  });

  test('loads nothing, and its policy stops no part of it', async () => {
    const requested = await page.evaluate('performance.getEntriesByType("resource").length');
    expect(requested).toBe(0);
    expect(errors).toEqual([]);
  });
});
