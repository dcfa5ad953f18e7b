import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderSparkline } from '../../../../../server/platform/documents/sparkline/render-sparkline.ts';
import { makeFormat } from '../../../../../server/rendering/format.ts';
import { describeInBrowser, sharedBrowser } from '../../../../support/chromium.ts';

const format = makeFormat('en-GB');
type Total = bigint | undefined;

function pictureOf(totals: readonly Total[], label = 'Savings'): string {
  return renderSparkline({ label, coin: 'ETH', firstDay: '2025-02-27', totals }, format);
}

const wordsOf = (svg: string) => /<desc>(.*)<\/desc>/s.exec(svg)?.[1] ?? '';
const lineOf = (svg: string) => /<path d="([^"]*)"/.exec(svg)?.[1] ?? '';
const markOf = (svg: string) => /<polygon points="([^"]*)"/.exec(svg)?.[1];
const strokeOf = (svg: string) => / stroke="([^"]*)"/.exec(svg)?.[1];

const rising = [100n, 50n, 200n, 150n];
const falling = [150n, 200n, 50n, 100n];
const level = [100n, 50n, 200n, 100n];

describe("the text description in the picture of a wallet's value", () => {
  test('contains first, last, lowest and highest value, the change and the currency', () => {
    const svg = pictureOf(rising);
    expect(svg).toContain('<title>Savings (ETH), last 4 days in USD</title>');
    expect(wordsOf(svg)).toBe(
      'Rose by 50%: first US$1.00 on 27 February 2025, last US$1.50 on 2 March 2025, low US$0.50, high US$2.00.',
    );
  });

  test.each([
    ['a fall of the value', falling, 'Fell by 33.33%: '],
    ['that nothing has changed', level, 'Unchanged (0%): '],
    ['a rise from zero, without a percentage', [0n, 5n], 'Rose from nothing: '],
    ['a fall below zero', [0n, -5n], 'Fell from nothing: '],
    ['a rise from a negative value', [-200n, 100n], 'Rose by 150%: '],
    ['a fall to a negative value', [100n, -100n], 'Fell by 200%: '],
    [
      'a change that is too small for the percentage',
      [10_000_000n, 10_000_001n],
      'Rose by less than 0.01%: ',
    ],
    ['a change of half a hundredth', [20_000n, 20_001n], 'Rose by 0.01%: '],
  ])('contains %s', (_case, totals, beginning) => {
    expect(wordsOf(pictureOf(totals))).toMatch(
      new RegExp(`^${beginning.replace(/[()]/g, '\\$&')}`),
    );
  });

  test('contains the number of days without a known value', () => {
    expect(wordsOf(pictureOf([undefined, 100n, undefined, 100n]))).toMatch(
      /2 of 4 days are not known\.$/,
    );
  });

  test('works for a single day with a known value', () => {
    expect(wordsOf(pictureOf([undefined, 100n, undefined]))).toBe(
      'Only one day is known: US$1.00 on 28 February 2025. 2 of 3 days are not known.',
    );
  });

  test('works without any known value', () => {
    const svg = pictureOf([undefined, undefined]);
    expect(wordsOf(svg)).toBe('No data for these 2 days.');
    expect(svg).toContain('>no data</text>');
    expect(svg).not.toMatch(/<(path|polygon)/);
  });

  test('is exact for values too large for a float', () => {
    const words = wordsOf(pictureOf([999_999_999_999_999_999_01n, 999_999_999_999_999_999_02n]));
    expect(words).toContain('first US$999,999,999,999,999,999.01');
    expect(words).toContain('last US$999,999,999,999,999,999.02');
  });

  test('works for a wallet without a label', () => {
    expect(pictureOf(rising, '')).toContain('<title>Wallet (ETH), last 4 days in USD</title>');
  });
});

describe("the line in the picture of a wallet's value", () => {
  test('goes from left to right and from the lowest to the highest value', () => {
    expect(lineOf(pictureOf(rising))).toBe('M5 19.67L41.67 27L78.33 5L115 12.33');
  });

  test('is in the middle when all values are equal', () => {
    expect(lineOf(pictureOf([100n, 100n, 100n]))).toBe('M5 16L60 16L115 16');
  });

  test('has gaps for days without a known value', () => {
    const line = lineOf(pictureOf([100n, 200n, undefined, 100n, undefined]));
    expect(line).toBe('M5 27L32.5 5M87.5 27h0');
  });

  test('distinguishes values that would be equal as floats', () => {
    const huge = 10n ** 30n;
    expect(lineOf(pictureOf([huge, huge + 1n, huge + 2n]))).toBe('M5 27L60 16L115 5');
  });

  test('stays within the picture when values are negative', () => {
    expect(lineOf(pictureOf([-100n, -300n, -200n]))).toBe('M5 5L60 27L115 16');
  });
});

describe("each direction of a wallet's value (rising, falling, level) in its picture", () => {
  test('has its own colour', () => {
    const colours = [rising, falling, level].map((totals) => strokeOf(pictureOf(totals)));
    expect(new Set(colours).size).toBe(3);
  });

  test('has its own shape, for people who do not distinguish colours', () => {
    expect(markOf(pictureOf([0n, 100n]))).toBe('115 2 118 8 112 8');
    expect(markOf(pictureOf([100n, 0n]))).toBe('115 30 118 24 112 24');
    expect(markOf(pictureOf([100n, 100n]))).toBe('112 13 118 13 118 19 112 19');
  });
});

describeInBrowser("the picture of a wallet's value, in a browser,", () => {
  let page: Page;
  beforeAll(async () => {
    page = await (await sharedBrowser()).newPage();
  });
  afterAll(() => page.close());

  const open = (svg: string) => page.setContent(`<main>${svg}</main>`);

  test.each([
    ['a rise', pictureOf(rising)],
    ['a fall', pictureOf(falling)],
    ['no data', pictureOf([undefined])],
    ['markup', pictureOf(rising, '<script>alert(1)</script>]]>&amp;"\'')],
    ['characters that XML does not allow', pictureOf(rising, 'a\u0001b\u001f\ufffe\ud800c')],
    ['a year', pictureOf(Array.from({ length: 365 }, (_, day) => BigInt((day * 7919) % 1000)))],
  ])('is valid XML without external resources: %s', async (_case, svg) => {
    // This function runs in the page. It is sent as text, because TypeScript does not know the types of the page here.
    const found = await page.evaluate(`(${inspect})(${JSON.stringify(svg)})`);
    expect(found).toEqual({
      root: 'svg http://www.w3.org/2000/svg img 120 32 0 0 120 32',
      errors: 0,
      firstChildren: ['title', 'desc'],
      foreign: 0,
    });
  });

  test("shows the wallet's label unchanged, also when it contains markup", async () => {
    const label = '<b>"Rainy" & \'sunny\'</b> days';
    await open(pictureOf(rising, label));
    const title = page.locator('svg > title');
    expect(await title.textContent()).toBe(`${label} (ETH), last 4 days in USD`);
  });

  test('is an image with a name and a description for screen readers', async () => {
    await open(pictureOf(rising));
    const image = page.getByRole('img', {
      name: 'Savings (ETH), last 4 days in USD',
      exact: true,
    });
    expect(await image.count()).toBe(1);
  });

  test('has its line and its marker within the picture', async () => {
    const hundred = Array.from({ length: 100 }, (_, day) => BigInt(day % 17));
    for (const totals of [rising, falling, level, [5n], [undefined, 5n], hundred]) {
      await open(pictureOf(totals));
      const boxes =
        await page.evaluate(`[...document.querySelectorAll('path, polygon')].map((one) => {
        const { x, y, width, height } = one.getBBox();
        return x >= 1 && y >= 1 && x + width <= 119 && y + height <= 31;
      })`);
      expect(boxes).toEqual([true, true]);
    }
  });
});

/** The source text of a function that runs in the page. */
const inspect = `(svg) => {
  const { documentElement: root } = new DOMParser().parseFromString(svg, 'image/svg+xml');
  const attributes = ['role', 'width', 'height', 'viewBox'].map((name) => root.getAttribute(name));
  return {
    root: [root.localName, root.namespaceURI, ...attributes].join(' '),
    errors: root.querySelectorAll('parsererror').length,
    firstChildren: [...root.children].slice(0, 2).map((one) => one.localName),
    foreign: root.querySelectorAll('script, style, image, use, a, foreignObject, [href], [style]').length,
  };
}`;
