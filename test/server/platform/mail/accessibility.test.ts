import axe from 'axe-core';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { renderMail } from '../../../../server/platform/mail/render-mail.ts';
import { describeInBrowser, launchBrowser } from '../../../support/chromium.ts';
import { brand, everything } from '../document/html/sample.ts';
import { reminder } from './support/letters.ts';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const desk = { viewport: { width: 800, height: 800 } };
const phone = { viewport: { width: 360, height: 800 } };

describeInBrowser('a mail in a browser (needs /usr/bin/chromium)', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  const mails = [
    ['a reminder', reminder, desk],
    ['a reminder on a phone', reminder, phone],
    ['a reminder in the dark', reminder, { ...desk, colorScheme: 'dark' as const }],
    ['every kind of block', everything, desk],
    ['every kind of block on a phone', everything, phone],
    ['every kind of block in the dark', everything, { ...desk, colorScheme: 'dark' as const }],
    ['a language from right to left', { ...everything, language: 'he' }, phone],
  ] as const;

  test.each(mails)('is faultless to axe with %s', async (_case, document, options) => {
    const page = await browser.newPage(options);
    await page.setContent(renderMail(document, brand).html);
    await page.evaluate(axe.source);
    const run = JSON.stringify({ runOnly: { type: 'tag', values: tags } });
    const { violations, passes } = (await page.evaluate(`axe.run(${run})`)) as axe.AxeResults;
    // Else a page on which nothing was looked at would have no faults.
    expect(passes.map(({ id }) => id)).toContain('color-contrast');
    expect(
      violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`)),
    ).toEqual([]);
    await page.close();
  });

  test.each(mails)('has room for all of %s', async (_case, document, options) => {
    const page = await browser.newPage(options);
    await page.setContent(renderMail(document, brand).html);
    const width = await page.evaluate('document.documentElement.scrollWidth');
    expect(width).toBe(options.viewport.width);
    await page.close();
  });
});
