import { describe, expect, test } from 'vitest';
import { renderHtml } from '../../../server/rendering/html/render-html.ts';
import { renderPdf } from '../../../server/rendering/pdf/render-pdf.ts';
import { checkPdf, lacksPdfTools, textOf } from '../../support/pdf-tools.ts';
import { brand, documentOf } from './html/sample.ts';

const url = 'https://platform.example/invoices/7?a=1&b=2';

test('the HTML page of a document contains a link with its URL', () => {
  const page = renderHtml(documentOf([{ kind: 'link', text: 'View', url }]), brand);
  expect(page).toContain('<a href="https://platform.example/invoices/7?a=1&amp;b=2">View</a>');
});

test.each(['javascript:alert(1)', '/invoices/7', 'data:text/html,x'])(
  'the unsafe or incomplete URL %s is printed on the HTML page but not linked',
  (target) => {
    const page = renderHtml(documentOf([{ kind: 'link', text: 'View', url: target }]), brand);
    expect(page).toContain(`View: ${target}`);
    expect(page).not.toContain('<a ');
  },
);

describe.skipIf(lacksPdfTools())('in the PDF of a document', () => {
  test('a link is printed as text with its URL', async () => {
    const pdf = await renderPdf(documentOf([{ kind: 'link', text: 'View', url }]), brand);
    await checkPdf(pdf);
    expect((await textOf(pdf)).join('\n')).toContain(`View: ${url}`);
  });
});
