import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInBrowser } from '../../../../support/chromium.ts';
import { DocumentBrowser } from './browser.ts';
import { brandWithLogo, documentOf, everything, makeInvoice } from './sample.ts';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const desk = { viewport: { width: 1000, height: 800 } };
const phone = { viewport: { width: 390, height: 800 } };

describeInBrowser('to axe, the page of a document (needs /usr/bin/chromium)', () => {
  let browser: DocumentBrowser;

  beforeAll(async () => {
    browser = await DocumentBrowser.start();
  });
  afterAll(() => browser.stop());

  test.each([
    ['every kind of block', everything, desk],
    ['every kind of block, on a phone', everything, phone],
    ['every kind of block, in the dark', everything, { ...desk, colorScheme: 'dark' as const }],
    ['a logo', everything, { ...desk, brand: brandWithLogo }],
    ['an invoice', makeInvoice(25), desk],
    ['nothing but a heading', documentOf([]), desk],
    ['a language from right to left', { ...everything, language: 'he' }, desk],
  ])('is faultless with %s', async (_case, document, options) => {
    const { page } = await browser.open(document, options);
    expect(await faultsOf(page)).toEqual([]);
  });

  test.each(['neutral', 'good', 'warning', 'bad'] as const)(
    'is faultless with the status %s',
    async (tone) => {
      const { page } = await browser.open(documentOf([], { status: { text: 'Status', tone } }));
      expect(await faultsOf(page)).toEqual([]);
    },
  );
});

async function faultsOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const options = JSON.stringify({ runOnly: { type: 'tag', values: tags } });
  const { violations, passes } = (await page.evaluate(`axe.run(${options})`)) as axe.AxeResults;
  // Else a page on which nothing was looked at would have no faults.
  expect(passes.map(({ id }) => id)).toContain('color-contrast');
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
