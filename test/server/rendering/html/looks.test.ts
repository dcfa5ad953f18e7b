import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInBrowser } from '../../../support/chromium.ts';
import { goldenFile } from '../../../support/golden-file.ts';
import { DocumentBrowser } from './browser.ts';
import { differenceOf } from './difference.ts';
import { brandWithLogo, everything, makeInvoice } from './sample.ts';

/** The part of a picture that may differ from the golden picture, because systems render fonts differently. */
const tolerance = 0.002;

// UPDATE_GOLDEN=1 replaces the golden pictures. Check the new pictures before committing them.
describeInBrowser(
  'the HTML page of a document compared to its golden picture (needs /usr/bin/chromium)',
  () => {
    let browser: DocumentBrowser;

    beforeAll(async () => {
      browser = await DocumentBrowser.start();
    });
    afterAll(() => browser.stop());

    test.each([
      ['desk', everything, { viewport: { width: 1000, height: 800 }, deviceScaleFactor: 0.4 }],
      ['phone', everything, { viewport: { width: 390, height: 800 }, deviceScaleFactor: 0.5 }],
      ['from-right', { ...everything, language: 'ar-EG' }, { deviceScaleFactor: 0.4 }],
      ['invoice', makeInvoice(9), { deviceScaleFactor: 0.4, brand: brandWithLogo }],
    ] as const)('matches for %s', async (name, document, options) => {
      const { page } = await browser.open(document, options);
      const picture = await page.screenshot({ fullPage: true });
      const golden = await goldenFile(`html/${name}.png`, picture);
      expect(await differenceOf(page, golden, picture)).toBeLessThan(tolerance);
    });

    test('does not match when the document is a different one, so the comparison can fail', async () => {
      const desk = await (await browser.open(everything)).page.screenshot();
      const { page } = await browser.open(makeInvoice(17));
      expect(await differenceOf(page, desk, await page.screenshot())).toBeGreaterThan(tolerance);
    });
  },
);
