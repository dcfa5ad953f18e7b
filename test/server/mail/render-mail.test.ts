import { expect, test } from 'vitest';
import { renderMail } from '../../../server/mail/render-mail.ts';
import { brand, brandWithLogo, everything } from '../rendering/html/sample.ts';
import { documentOf, reminder } from './support/messages.ts';

test('the plain text of a mail lays out facts, tables and lists for reading', () => {
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

test('in the plain text of a mail, a table that is too wide becomes one line for each cell', () => {
  const wide = 'x'.repeat(40);
  const columns = ['One', 'Another'].map((title) => ({ title, align: 'start' as const, width: 1 }));
  const { text } = renderMail(
    documentOf([{ kind: 'table', caption: '', columns, rows: [[wide, wide]] }]),
    brand,
  );
  expect(text).toContain(`One:      ${wide}\nAnother:  ${wide}`);
});

test('the plain text of a mail counts a character of double width as two columns', () => {
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

test('the plain text and the HTML of a mail contain the same words', () => {
  const { text, html } = renderMail(everything, brand);
  const shown = html
    .replaceAll('&nbsp;', '')
    .replaceAll(/<style>.*?<\/style>/g, '')
    .replaceAll(/<[^>]*>/g, '\n');
  const words = (from: string) =>
    new Set(from.replaceAll('&#39;', "'").match(/[\p{L}\p{N}.,€%]{2,}/gu) ?? []);
  // The plain text contains the numbers of lists, but the browser generates them for HTML. They are
  // removed before comparing.
  const [inText, inHtml] = [words(text.replaceAll(/^\d\. /gm, '')), words(shown)];
  expect([...inHtml].filter((word) => !inText.has(word))).toEqual([]);
  expect([...inText].filter((word) => !inHtml.has(word))).toEqual([]);
});

test('the HTML of a mail escapes markup in every text of a document', () => {
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
  'the unsafe or incomplete URL %s is printed in a mail but not linked',
  (url) => {
    const { html, text } = renderMail(documentOf([{ kind: 'link', text: 'Look', url }]), brand);
    expect(html).not.toContain('href');
    expect(html).toContain(`Look: ${url}`);
    expect(text).toContain(url);
  },
);

test('a mail has its logo attached, and its HTML loads nothing from a server', () => {
  const { html } = renderMail(everything, brandWithLogo);
  expect(html).toContain('src="cid:logo@rowgate"');
  expect(html).toContain(`alt="${brand.name}"`);
  expect([...html.matchAll(/(?:src|href|url)[=(]"?([^"')>]*)/g)].map(([, to]) => to)).toEqual([
    'cid:logo@rowgate',
  ]);
});
