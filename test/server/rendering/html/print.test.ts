import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PrintedDocument } from '../../../../server/rendering/model.ts';
import { describeInBrowser } from '../../../support/chromium.ts';
import { DocumentBrowser } from './browser.ts';
import { everything, makeInvoice } from './sample.ts';

const hasPoppler = spawnSync('pdftotext', ['-v']).error === undefined;

describe.skipIf(!hasPoppler && !process.env.CI)('a printed HTML page (needs pdftotext)', () => {
  describeInBrowser('of a document, in a browser (needs /usr/bin/chromium),', () => {
    let browser: DocumentBrowser;

    beforeAll(async () => {
      browser = await DocumentBrowser.start();
    });
    afterAll(() => browser.stop());

    test('repeats the head of a table on each printed page, and prints the totals once', async () => {
      const pages = await printedPages(browser, makeInvoice(60));
      expect(pages.length).toBeGreaterThan(2);
      expect(pages.map((page) => page.match(/^Description +Quantity/gm)?.length)).toEqual(
        pages.map(() => 1),
      );
      expect(pages.map((page) => page.includes('Total due'))).toEqual(
        pages.map((_page, index) => index === pages.length - 1),
      );
    });

    test('has page numbers', async () => {
      const pages = await printedPages(browser, makeInvoice(60));
      const last = pages.map((page) => page.trim().split('\n').at(-1)?.replaceAll(' ', ''));
      expect(last).toEqual(pages.map((_page, index) => `${index + 1}/${pages.length}`));
    });

    test.each(Array.from({ length: 12 }, (_, index) => index + 16))(
      'has the totals on the same printed page as the last of %i lines',
      async (lines) => {
        const pages = await printedPages(browser, makeInvoice(lines));
        const withTotals = pages.filter((page) => page.includes('Subtotal'));
        expect(withTotals).toHaveLength(1);
        expect(withTotals[0]).toMatch(/20% +€[\d,.]+\n+ +Subtotal.*\n+ +Tax.*\n+ +Total due/);
      },
    );

    test('has the layout of wide screens', async () => {
      const [first] = await printedPages(browser, everything);
      expect(first).toMatch(/Billed to +Deliver to/);
      expect(first).toMatch(/Invoice number +Issued +Due +Currency/);
    });
  });
});

/**
 * Prints the page to PDF and returns the text of each printed page, with spaces as in the layout.
 */
async function printedPages(
  browser: DocumentBrowser,
  document: PrintedDocument,
): Promise<readonly string[]> {
  const { page } = await browser.open(document);
  const pdf = await page.pdf({ format: 'A4' });
  const reading = promisify(execFile)('pdftotext', ['-layout', '-', '-'], { maxBuffer: 1e8 });
  reading.child.stdin?.end(pdf);
  return (await reading).stdout.split('\f').slice(0, -1);
}
