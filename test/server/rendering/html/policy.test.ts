import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { htmlSecurityPolicy, renderHtml } from '../../../../server/rendering/html/render-html.ts';
import { describeInBrowser } from '../../../support/chromium.ts';
import { DocumentBrowser } from './browser.ts';
import { brand, brandWithLogo, everything } from './sample.ts';

describe('the Content-Security-Policy of the HTML pages of documents', () => {
  test("allows only the page's style sheet, by its hash, and embedded pictures", () => {
    const [, style = ''] = /<style>(.*?)<\/style>/s.exec(renderHtml(everything, brand)) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    expect(htmlSecurityPolicy.split('; ')).toEqual([
      "default-src 'none'",
      `style-src 'sha256-${hash}'`,
      'img-src data:',
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
  });

  test('is the same for all brands', () => {
    const styles = ['#000000', '#ffcc00'].map((colour) => {
      return /<style>.*?<\/style>/s.exec(renderHtml(everything, { ...brand, colour }))?.[0];
    });
    expect(styles[0]).toBe(styles[1]);
  });
});

test('rendering the same document and brand twice gives the same HTML', () => {
  const again = structuredClone({ everything, brandWithLogo });
  expect(renderHtml(again.everything, again.brandWithLogo)).toBe(
    renderHtml(everything, brandWithLogo),
  );
});

describeInBrowser(
  'the HTML page of a document in a browser, with its Content-Security-Policy (needs /usr/bin/chromium)',
  () => {
    let browser: DocumentBrowser;

    beforeAll(async () => {
      browser = await DocumentBrowser.start();
    });
    afterAll(() => browser.stop());

    test('requests nothing, and shows its styles and its logo', async () => {
      const { page, requested, complaints } = await browser.open(everything, {
        brand: brandWithLogo,
      });
      expect(requested).toEqual([]);
      expect(complaints).toEqual([]);
      const [display, picture] = (await page.evaluate(
        '[getComputedStyle(document.querySelector("dl")).display, document.querySelector("img").naturalWidth]',
      )) as [string, number];
      expect([display, picture]).toEqual(['grid', 240]);
    });

    test('ignores styles, scripts and pictures that are injected into it', async () => {
      const injected =
        '<style>h1 { color: rgb(255, 0, 0) }</style><script>document.title = "ran"</script>' +
        '<img src="/outside.png"><p style="color: rgb(255, 0, 0)">styled</p></main>';
      const { page, requested, complaints } = await browser.open(everything, {
        tamper: (html) => html.replace('</main>', injected),
      });
      expect(requested).toEqual([]);
      expect(complaints).toHaveLength(4);
      expect(await page.title()).toBe('Invoice INV-2025-001');
      const colours = await page.evaluate(
        '["h1", "[style]"].map((one) => getComputedStyle(document.querySelector(one)).color)',
      );
      expect(colours).toEqual(['rgb(27, 31, 35)', 'rgb(27, 31, 35)']);
    });
  },
);
