import { afterAll, beforeAll, expect, test } from 'vitest';
import { askAxe } from '../../../support/axe.ts';
import { describeInBrowser } from '../../../support/chromium.ts';
import { DocumentBrowser, type OpenPage } from './browser.ts';
import { brandWithLogo, documentOf, everything, makeInvoice } from './sample.ts';

const desk = { viewport: { width: 1000, height: 800 } };
const phone = { viewport: { width: 390, height: 800 } };

describeInBrowser('the HTML page of a document (needs /usr/bin/chromium)', () => {
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
  ])('passes all accessibility checks of axe with %s', async (_case, document, options) => {
    expect(await faultsOf(await browser.open(document, options))).toEqual([]);
  });

  test.each(['neutral', 'good', 'warning', 'bad'] as const)(
    'passes all accessibility checks of axe with the status %s',
    async (tone) => {
      const open = await browser.open(documentOf([], { status: { text: 'Status', tone } }));
      expect(await faultsOf(open)).toEqual([]);
    },
  );
});

async function faultsOf({ page }: OpenPage): Promise<readonly string[]> {
  const { faults, obeyed } = await askAxe(page, 'best-practice');
  expect(obeyed).toContain('color-contrast');
  return faults;
}
