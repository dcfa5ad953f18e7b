import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Brand } from '../../../../server/rendering/brand.ts';
import type { PrintedDocument } from '../../../../server/rendering/model.ts';
import { describeInBrowser } from '../../../support/chromium.ts';
import { DocumentBrowser } from './browser.ts';
import { brandWithLogo, documentOf, everything } from './sample.ts';

const hostile =
  `</title></style></span>--><script>document.title = 'ran'</script><img src=x onerror="document.title = 'ran'">` +
  `" onclick='x' &lt;b&gt; \${1}`;

/**
 * A text with the length of the hostile text. A text of another length would have another layout, and the comparison
 * would fail.
 */
const harmlessText = 'x'.repeat(40);

describeInBrowser('hostile texts in the HTML page of a document (need /usr/bin/chromium)', () => {
  let browser: DocumentBrowser;

  beforeAll(async () => {
    browser = await DocumentBrowser.start();
  });
  afterAll(() => browser.stop());

  test('are escaped in every part of the document', async () => {
    const harmless = await browser.open(withTexts(everything, harmlessText), {
      brand: withTexts(brandWithLogo, harmlessText),
    });
    const skeleton = await skeletonOf(harmless.page);
    const attacked = await browser.open(withTexts(everything, hostile), {
      brand: withTexts(brandWithLogo, hostile),
    });
    expect(await skeletonOf(attacked.page)).toEqual(skeleton);
    expect(await attacked.page.title()).toBe(hostile);
    expect(await attacked.page.locator('tbody th').first().textContent()).toBe(hostile);
    expect(await attacked.page.locator('tbody td').first().getAttribute('data-label')).toBe(
      hostile,
    );
    expect(attacked.complaints).toEqual([]);
  });

  test("are escaped in the document's language and the brand's colour", async () => {
    const { page } = await browser.open(
      { ...everything, language: hostile },
      { brand: { ...brandWithLogo, colour: hostile } },
    );
    expect(await page.locator('html').getAttribute('lang')).toBe(hostile);
    expect(await page.locator('.band rect').getAttribute('fill')).toBe(hostile);
    expect(await page.locator('script, [onclick], [onerror]').count()).toBe(0);
  });

  test('lose control characters and halves of surrogate pairs', async () => {
    const heading = 'a\0b\x1bc\x7fd\x85e\ud800f\tg';
    const { page } = await browser.open({ ...everything, heading });
    expect(await page.locator('h1').textContent()).toBe('abcde\ufffdf\tg');
  });

  test.each([1000, 390, 300])(
    'do not make the page wider than %i pixels when they are long words',
    async (width) => {
      const { page } = await browser.open(withTexts(everything, 'W'.repeat(400)), {
        brand: withTexts(brandWithLogo, 'W'.repeat(400)),
        viewport: { width, height: 800 },
      });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
        width,
      );
      expect(await cutOff(page)).toEqual([]);
    },
  );

  test.each([840, 1100])(
    'do not make a page of %i pixels wider when they fill a table, whose amounts are not broken',
    async (width) => {
      const titles = ['Product code', 'Name', 'Terms', 'Unit', 'Quantity', 'Unit price', 'Amount'];
      const row = [
        'CUST-0001',
        'Custody',
        'For institutions',
        'month',
        '1',
        'US$1,234,567.89',
        'US$12,345,678.90',
      ];
      const columns = titles.map((title) => ({ title, align: 'end', width: 1 }) as const);
      const { page } = await browser.open(
        documentOf([{ kind: 'table', caption: 'Catalogue', columns, rows: [row] }]),
        { viewport: { width, height: 800 } },
      );
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
        width,
      );
      const lines =
        'const range = document.createRange(); range.selectNodeContents(document.querySelector("tbody td:last-child"));';
      expect(
        await page.evaluate(`(() => { ${lines} return range.getClientRects().length })()`),
      ).toBe(1);
    },
  );

  test('in a right-to-left script keep the alignment of their column', async () => {
    const { page } = await browser.open(everything);
    const style = await page.evaluate(
      '(({ direction, textAlign }) => [direction, textAlign])(getComputedStyle(document.querySelector(".parties section:last-child span")))',
    );
    expect(style).toEqual(['rtl', 'left']);
  });

  test('in a right-to-left document are in table columns that run from right to left', async () => {
    const { page } = await browser.open({ ...everything, language: 'ar-EG' });
    const [description, amount] = await Promise.all(
      ['Description', 'Amount'].map((name) =>
        page.getByRole('columnheader', { name }).boundingBox(),
      ),
    );
    expect(description?.x).toBeGreaterThan(amount?.x ?? Number.NaN);
  });
});

const fixed = new Set(['kind', 'tone', 'align', 'language', 'modifiedAt', 'colour', 'contentType']);

/** Returns a copy of a document or brand in which every text is replaced by another. */
function withTexts<T extends PrintedDocument | Brand>(whole: T, text: string): T {
  return JSON.parse(
    JSON.stringify(whole, (key, value: unknown) => {
      return typeof value === 'string' && !fixed.has(key) ? text : value;
    }),
    (key, value: unknown) =>
      key === 'data' ? new Uint8Array(Object.values(value as object)) : value,
  ) as T;
}

/**
 * Lists all elements of a page with the names of their attributes. Injected markup would change the
 * list.
 */
function skeletonOf(page: Page): Promise<unknown> {
  return page.evaluate(
    '[...document.querySelectorAll("*")].map((one) => [one.tagName, ...one.getAttributeNames()].join(" "))',
  );
}

/** Lists the elements whose content is wider than the element, so that a part of it is cut off. */
function cutOff(page: Page): Promise<unknown> {
  return page.evaluate(
    '[...document.querySelectorAll(".sheet, .sheet *:not(thead, thead *)")].filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0).map((one) => one.outerHTML.slice(0, 60))',
  );
}
