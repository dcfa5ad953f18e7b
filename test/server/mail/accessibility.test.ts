import type { Page, ViewportSize } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { renderMail } from '../../../server/mail/render-mail.ts';
import type { PrintedDocument } from '../../../server/rendering/model.ts';
import { askAxe } from '../../support/axe.ts';
import { describeInBrowser, sharedBrowser } from '../../support/chromium.ts';
import { brand, everything } from '../rendering/html/sample.ts';
import { reminder } from './support/messages.ts';

interface Look {
  readonly viewport: ViewportSize;
  readonly colorScheme?: 'dark';
}

const desk: Look = { viewport: { width: 800, height: 800 } };
const phone: Look = { viewport: { width: 360, height: 800 } };

describeInBrowser('the HTML of a mail in a browser (needs /usr/bin/chromium)', () => {
  let page: Page;

  beforeAll(async () => {
    page = await (await sharedBrowser()).newPage();
  });
  afterAll(() => page.close());

  const mails = [
    ['a reminder', reminder, desk],
    ['a reminder on a phone', reminder, phone],
    ['a reminder in the dark', reminder, { ...desk, colorScheme: 'dark' }],
    ['every kind of block', everything, desk],
    ['every kind of block on a phone', everything, phone],
    ['every kind of block in the dark', everything, { ...desk, colorScheme: 'dark' }],
    ['a language from right to left', { ...everything, language: 'he' }, phone],
  ] satisfies readonly (readonly [string, PrintedDocument, Look])[];

  test.each(mails)(
    'passes all accessibility checks of axe with %s',
    async (_case, document, options) => {
      await show(document, options);
      const { faults, obeyed } = await askAxe(page);
      expect(obeyed).toContain('color-contrast');
      expect(faults).toEqual([]);
    },
  );

  test.each(mails)('needs no horizontal scrolling with %s', async (_case, document, options) => {
    await show(document, options);
    const width = await page.evaluate('document.documentElement.scrollWidth');
    expect(width).toBe(options.viewport.width);
  });

  async function show(document: PrintedDocument, options: Look): Promise<void> {
    await page.setViewportSize(options.viewport);
    await page.emulateMedia({ colorScheme: options.colorScheme ?? 'light' });
    await page.setContent(renderMail(document, brand).html);
  }
});
