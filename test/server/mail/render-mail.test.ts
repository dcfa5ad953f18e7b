import { expect, test } from 'vitest';
import { renderMail } from '../../../server/mail/render-mail.ts';
import { brand, brandWithLogo, everything } from '../rendering/html/sample.ts';
import { documentOf, reminder } from './support/messages.ts';

test('the plain text of a mail is readable', () => {
  expect(
    renderMail(reminder, { name: 'Harbour', colour: '#24566b', address: ['Bristol'] }).text,
  ).toMatchInlineSnapshot(`
    "Invoice INV-7 is overdue
    ========================

    Overdue

    Dear Ada Lovelace,
    an invoice has not been paid yet.

    Invoice:      INV-7
    Amount open:  £1,250.00
    Due:          1 March 2026

    What is billed

    Service            Amount
    --------------  ---------
    Custody & keys  £1,000.00
    Cards             £500.00

    Paid:  £250.00
    Open:  £1,250.00

    View the invoice:
    https://platform.example/invoices/7?a=1&b=2

    -- 
    Harbour
    Bristol
    "
  `);
});

test('a table that is too wide for columns is printed row by row', () => {
  const wide = 'x'.repeat(40);
  const columns = ['One', 'Another'].map((title) => ({ title, align: 'start' as const, width: 1 }));
  const { text } = renderMail(
    documentOf([{ kind: 'table', caption: '', columns, rows: [[wide, wide]] }]),
    brand,
  );
  expect(text).toContain(`One:      ${wide}\nAnother:  ${wide}`);
});

test('characters of double width count as two columns', () => {
  const { text } = renderMail(
    documentOf([
      {
        kind: 'facts',
        items: [
          { term: '金額', value: '1' },
          { term: 'abcd', value: '2' },
        ],
      },
    ]),
    brand,
  );
  expect(text).toContain('金額:  1\nabcd:  2');
});

test('the plain text and the HTML contain the same words', () => {
  const { text, html } = renderMail(everything, brand);
  const shown = html
    .replaceAll('&nbsp;', '')
    .replaceAll(/<style>.*?<\/style>/g, '')
    .replaceAll(/<[^>]*>/g, '\n');
  const words = (from: string) =>
    new Set(from.replaceAll('&#39;', "'").match(/[\p{L}\p{N}.,€%]{2,}/gu) ?? []);
  // The browser generates the numbers of lists, so the HTML does not contain them.
  const [inText, inHtml] = [words(text.replaceAll(/^\d\. /gm, '')), words(shown)];
  expect([...inHtml].filter((word) => !inText.has(word))).toEqual([]);
  expect([...inText].filter((word) => !inHtml.has(word))).toEqual([]);
});

test('HTML in any text of a document is escaped', () => {
  const hostile = '</td><script>alert(1)</script><img src=x onerror="alert(1)">';
  const blocks = everything.blocks.map((block) =>
    JSON.parse(
      JSON.stringify(block, (key, value) =>
        ['text', 'title', 'term', 'value', 'label', 'caption'].includes(key) ? hostile : value,
      ),
    ),
  );
  const { html } = renderMail(
    documentOf(blocks, { title: hostile, heading: hostile, language: '"><b>' }),
    { ...brand, name: hostile, footer: hostile },
  );
  expect(html).not.toMatch(/<script|<img|<b>/);
});

test.each(['javascript:alert(1)', 'data:text/html,x', '/invoices/7', 'vbscript:x', 'not a url'])(
  '%s is printed but not linked',
  (url) => {
    const { html, text } = renderMail(documentOf([{ kind: 'link', text: 'Look', url }]), brand);
    expect(html).not.toContain('href');
    expect(html).toContain(`Look: ${url}`);
    expect(text).toContain(url);
  },
);

test('the logo is attached to the mail, and the HTML loads nothing from a server', () => {
  const { html } = renderMail(everything, brandWithLogo);
  expect(html).toContain('src="cid:logo@rowgate"');
  expect(html).toContain(`alt="${brand.name}"`);
  expect([...html.matchAll(/(?:src|href|url)[=(]"?([^"')>]*)/g)].map(([, to]) => to)).toEqual([
    'cid:logo@rowgate',
  ]);
});
