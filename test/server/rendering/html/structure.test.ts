import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Block } from '../../../../server/rendering/model.ts';
import { describeInBrowser } from '../../../support/chromium.ts';
import { goldenFile } from '../../../support/golden-file.ts';
import { DocumentBrowser } from './browser.ts';
import { brand, brandWithLogo, documentOf, everything, makeInvoice } from './sample.ts';

const phone = { viewport: { width: 390, height: 800 } };

describeInBrowser('the HTML page of a document (needs /usr/bin/chromium)', () => {
  let browser: DocumentBrowser;

  beforeAll(async () => {
    browser = await DocumentBrowser.start();
  });
  afterAll(() => browser.stop());

  test('has the expected accessibility tree', async () => {
    const { page } = await browser.open(everything);
    const tree = await page.locator('body').ariaSnapshot();
    expect(`${tree}\n`).toBe((await goldenFile('html/everything.txt', `${tree}\n`)).toString());
  });

  test('has the same accessibility tree on a phone, where rows become cards', async () => {
    const wide = await browser.open(everything);
    const onDesk = await wide.page.locator('body').ariaSnapshot();
    const { page } = await browser.open(everything, phone);
    expect(await page.locator('body').ariaSnapshot()).toBe(onDesk);
    expect(
      await page.evaluate('getComputedStyle(document.querySelector("tbody tr")).display'),
    ).toBe('block');
  });

  test('has explicit roles for its tables, because some browsers derive the roles from the layout', async () => {
    const { page } = await browser.open(everything);
    const parts = page.locator('table, table :is(thead, tbody, tfoot, tr, th, td)');
    expect(await page.locator(':is(table, thead, tbody, tfoot, tr, th, td)[role]').count()).toBe(
      await parts.count(),
    );
    expect(await page.locator('th:not([scope])').count()).toBe(0);
  });

  test('uses the colour of the brand', async () => {
    const { page } = await browser.open(everything, {
      brand: { ...brandWithLogo, colour: '#ffcc00' },
    });
    expect(await page.locator('.band rect').getAttribute('fill')).toBe('#ffcc00');
  });

  test("shows the first letter of the brand's name when the brand has no logo", async () => {
    const named = { ...brand, name: 'éclat', colour: '#ffcc00' };
    const { page } = await browser.open(everything, { brand: named });
    expect(await page.locator('header svg text').textContent()).toBe('É');
    expect(await page.locator('header svg text').getAttribute('fill')).toBe('#000000');
  });

  test('has a title, a language and an author', async () => {
    const { page } = await browser.open(everything);
    expect(await page.title()).toBe('Invoice INV-2025-001');
    expect(await page.locator('html').getAttribute('lang')).toBe('en-GB');
    expect(await page.locator('meta[name=author]').getAttribute('content')).toBe(
      'Harbour Digital Assets',
    );
  });

  test('has headings that skip no level', async () => {
    const { page } = await browser.open(
      documentOf([heading(3, 'a'), heading(3, 'b'), heading(2, 'c'), heading(3, 'd')]),
    );
    expect(
      await page.evaluate(
        '[...document.querySelectorAll("h1, h2, h3")].map((one) => one.tagName + one.textContent)',
      ),
    ).toEqual(['H1Invoice', 'H2a', 'H3b', 'H2c', 'H3d']);
  });

  test('shows all 2,000 lines of a table, and the totals once', async () => {
    const { page } = await browser.open(makeInvoice(2000));
    expect(await page.locator('tbody tr').count()).toBe(2000);
    expect(await page.locator('tfoot tr').allInnerTexts()).toEqual([
      'Subtotal\t€125,050.00',
      'Tax\t€25,010.00',
      'Total due\t€150,060.00',
    ]);
  });

  test('omits blocks without content', async () => {
    const empty: Block[] = [
      heading(2, ''),
      { kind: 'paragraph', text: '' },
      { kind: 'facts', items: [] },
      { kind: 'list', ordered: true, items: ['', ''] },
      { kind: 'notice', title: '', text: '' },
      { kind: 'signatures', parties: [] },
      { kind: 'table', caption: 'Nothing', columns: [], rows: [] },
    ];
    const { page } = await browser.open(
      documentOf(empty, {
        heading: '',
        status: { text: '', tone: 'good' },
        parties: [{ label: 'Billed to', lines: ['', ''] }],
      }),
      { brand: { name: 'B', colour: '#000000', address: [] } },
    );
    expect((await page.locator('main').innerHTML()).replace(/\s+/g, ' ').trim()).toBe(
      '<div class="top"> <h1 dir="auto">Invoice INV-2025-001</h1> </div>',
    );
  });

  test('shows an empty cell where a row of a table lacks one', async () => {
    const columns = ['', 'Price'].map((title) => ({ title, align: 'end', width: 0 }) as const);
    const rows = [['', '5'], ['Gold']];
    const { page } = await browser.open(
      documentOf([{ kind: 'table', caption: '', columns, rows }]),
    );
    const cells = await page.evaluate(
      '[...document.querySelectorAll("tr")].map((row) => [...row.cells].map((cell) => cell.tagName + cell.textContent))',
    );
    expect(cells).toEqual([
      ['TD', 'THPrice'],
      ['TD', 'TD5'],
      ['THGold', 'TD'],
    ]);
  });

  test("shows the brand's logo, and the name beside it", async () => {
    const { page } = await browser.open(everything, { brand: brandWithLogo });
    expect(await page.evaluate('document.querySelector("header img").naturalWidth')).toBe(240);
    expect(await page.getByRole('banner').innerText()).toMatch(/^Harbour Digital Assets\n/);
  });

  test('keeps the line breaks of a text', async () => {
    const { page } = await browser.open(documentOf([{ kind: 'paragraph', text: 'One\nTwo' }]));
    expect(await page.getByText('One').innerText()).toBe('One\nTwo');
    const { height } = (await page.getByText('One').boundingBox()) ?? { height: 0 };
    expect(height).toBeGreaterThan(40);
  });
});

function heading(level: 2 | 3, text: string): Block {
  return { kind: 'heading', level, text };
}
