import { describe, expect, it } from 'vitest';
import type { PrintedDocument } from '../../../../server/rendering/model.ts';
import { renderPdf } from '../../../../server/rendering/pdf/render-pdf.ts';
import {
  checkPdf,
  infoOf,
  lacksPdfTools,
  readingOf,
  structureOf,
  textOf,
  uncompressed,
} from '../../../support/pdf-tools.ts';
import { makePng } from '../pictures.ts';
import { brand, documentOf, everyKind, tableOf } from './printed.ts';

const render = (document: PrintedDocument) => renderPdf(document, brand);

/**
 * Returns the words of a rendered document in the order of its pages. A word that was broken at the
 * end of a line is joined.
 */
async function words(document: PrintedDocument): Promise<string> {
  return (await textOf(await render(document))).join(' ');
}

describe.skipIf(lacksPdfTools())('a rendered PDF', () => {
  it('contains all texts of the document in order', async () => {
    const lines = await textOf(await render(everyKind));
    const text = lines.join(' ');
    expect(lines.slice(0, 3)).toEqual(['A Alder Capital', '12 Alder Lane', 'London EC1A 1BB']);
    const expected = [
      'Invoice INV-1',
      'Overdue',
      'From Alder Capital 12 Alder Lane',
      'Billed to \u00c9lodie \u0152uvr\u00e9 Str\u00f6m & S\u00f6hne \u041c\u043e\u0441\u043a\u0432\u0430',
      'Number INV-1 Issued on 2 January 2026 Due on 1 February 2026',
      'Lines Description Quantity Amount Service 1 1 \u20ac100.00 Service 2 2 \u20ac200.00',
      'Service 16 16 \u20ac1600.00 Subtotal \u20ac32,500.00 Total \u20ac39,000.00',
      'Terms Payment is due within thirty days. Second line. Words that fill lines.',
      'Details 1. First 2. Second and more',
      '3. Third \u2022 A point \u2022 Another point',
      'Purpose Long and longer',
      'Internal For staff alone. Do not send.',
      'Alder Capital The client',
    ];
    let at = 0;
    for (const part of expected) {
      expect(text.slice(at)).toContain(part);
      at = text.indexOf(part, at) + part.length;
    }
  });

  it('has title, author, language, times and tags in its metadata', async () => {
    const pdf = await render({ ...everyKind, title: 'Invoice <INV-1> & \u20ac' });
    const info = await infoOf(pdf);
    expect(info).toMatchObject({
      Title: 'Invoice <INV-1> & \u20ac',
      Author: 'Alder Capital',
      Tagged: 'yes',
      Pages: '2',
      'PDF version': '1.7',
      'Page size': '595.28 x 841.89 pts (A4)',
    });
    expect(info.CreationDate).toContain('Jan  2 03');
    const plain = await uncompressed(pdf);
    expect(plain).toContain('/Lang (en-GB)');
    expect(plain).toContain('/DisplayDocTitle true');
    expect(plain).toContain('<pdfuaid:part>1</pdfuaid:part>');
    expect(plain).toContain('Invoice &lt;INV-1&gt; &amp; ');
  });

  it('is valid according to the program qpdf, also with a logo', async () => {
    await checkPdf(await render(everyKind));
    const logo = { contentType: 'image/png', data: makePng(40, 10) } as const;
    const pdf = await renderPdf(everyKind, { ...brand, logo });
    await checkPdf(pdf);
    expect(await structureOf(pdf)).toContain('Figure');
    expect(await uncompressed(pdf)).toContain('/Alt (Alder Capital)');
    expect((await textOf(pdf)).slice(0, 2)).toEqual(['Alder Capital', '12 Alder Lane']);
  });

  it('has a structure tree with its headings, tables, lists and their parts', async () => {
    const tree = await structureOf(await render(everyKind));
    const kinds = tree.match(/^ *[A-Z][A-Za-z0-9]*(?=:| |$|\()/gm)?.map((kind) => kind.trim());
    expect(kinds?.slice(0, 5)).toEqual(['Document', 'Sect', 'P', 'P', 'H1']);
    expect(new Set(kinds)).toEqual(
      new Set(
        'Document Sect P H1 H2 H3 L LI Lbl LBody Table Caption THead TBody TFoot TR TH TD'.split(
          ' ',
        ),
      ),
    );
    const plain = await uncompressed(await render(everyKind));
    expect(plain.match(/\/Scope \/Column/g)).toHaveLength(3);
    expect(plain.match(/\/Scope \/Row/g)).toHaveLength(18);
    expect(plain).toContain('/ColSpan 2');
  });

  it('separates words of different lines in its structure tree, so that screen readers do not join them', async () => {
    const tree = await structureOf(await render(everyKind));
    expect(tree).toContain('"12 Alder Lane London EC1A 1BB"');
    expect(tree).toContain('"Alder Capital 12 Alder Lane"');
    expect(tree).toContain('"For staff alone. Do not send."');
    expect(tree).toContain(`Words that fill lines. Words that fill lines."`);
  });

  it('repeats the head of a table with 2,000 lines and numbers its pages', async () => {
    const pdf = await render(documentOf([tableOf(2000)]));
    await checkPdf(pdf);
    const lines = await textOf(pdf);
    const { Pages: pages = '' } = await infoOf(pdf);
    expect(Number(pages)).toBeGreaterThan(50);
    expect(lines.filter((line) => line === 'Description Quantity Amount')).toHaveLength(
      Number(pages),
    );
    expect(lines).toContain(`Page ${pages} of ${pages}`);
    const rows = lines.filter((line) => line.startsWith('Service '));
    expect(rows).toEqual(tableOf(2000).rows.map((row) => row.join(' ')));
  });

  it('has the totals of a table on the same page as the last row, for any number of lines', async () => {
    for (let lines = 20; lines < 34; lines += 1) {
      const text = await words(documentOf([tableOf(lines)]));
      expect(text).toContain(
        `Service ${lines} ${lines} \u20ac${lines}00.00 Subtotal \u20ac32,500.00 Total`,
      );
    }
  });

  it('has no heading as the last line of a page', async () => {
    for (let lines = 20; lines < 34; lines += 1) {
      const table = tableOf(lines, { totals: [] });
      const heading = { kind: 'heading', level: 2, text: 'Terms' } as const;
      const paragraph = { kind: 'paragraph', text: 'Of payment.' } as const;
      expect(await words(documentOf([table, heading, paragraph]))).toContain('Terms Of payment.');
    }
  });

  it('continues a table row that is taller than a page on the next page', async () => {
    const text = Array.from({ length: 200 }, (_, index) => `line${index}`).join('\n');
    const table = tableOf(1, { rows: [[text, '1', '\u20ac1.00']], totals: [] });
    const lines = await textOf(await render(documentOf([table])));
    const read = lines.flatMap((line) => line.match(/line\d+/g) ?? []);
    expect(read).toEqual(text.split('\n'));
  });

  it('breaks words that are longer than their column, without losing letters', async () => {
    const word = 'Donaudampfschifffahrt'.repeat(20);
    const table = tableOf(1, { rows: [[word, word, word]], totals: [] });
    const read = (await textOf(await render(documentOf([table])))).join('');
    for (const letter of 'Dps') {
      const count = (text: string) => text.split(letter).length - 1;
      expect(count(read)).toBeGreaterThanOrEqual(3 * count(word));
    }
  });

  it('prints markup as text', async () => {
    const hostile = '<b>"x" & \'y\'</b> (a) \\) endstream';
    const blocks = [{ kind: 'paragraph', text: hostile }] as const;
    const pdf = await render(documentOf(blocks, { title: hostile, heading: hostile }));
    await checkPdf(pdf);
    expect((await textOf(pdf)).filter((line) => line === hostile)).toHaveLength(2);
  });

  it('prints currency signs, or the currency code when the font lacks the sign', async () => {
    const signs = '\u20ac \u00a3 $ \u00a5 \u20b9 \u20bd \u20ba \u20b4 \u20bf \u20be \u4e2d';
    const text = await words(documentOf([{ kind: 'paragraph', text: signs }]));
    expect(text).toContain('\u20ac \u00a3 $ \u00a5 \u20b9 \u20bd \u20ba \u20b4 BTC GEL [U+4E2D]');
  });

  it('omits control characters and characters that override the direction', async () => {
    const text = await words(
      documentOf([{ kind: 'paragraph', text: 'a\u0000b\u001bc\u202ed\u2066e\ufefff\ud800' }]),
    );
    expect(text).toContain('abcdef[U+FFFD]'.replace('[U+FFFD]', '\ufffd'));
  });

  it('contains right-to-left words in reading order', async () => {
    const hebrew = '\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd';
    const arabic = '\u0645\u0631\u062d\u0628\u0627 \u0628\u0643\u0645';
    const texts = [hebrew, arabic, `${hebrew} (${hebrew}) ${hebrew}`];
    const blocks = texts.map((text) => ({ kind: 'paragraph', text }) as const);
    const lines = await readingOf(await render(documentOf(blocks)));
    expect(lines.slice(-6, -3)).toEqual(texts);
  });

  it('omits empty parts of the document', async () => {
    const empty = documentOf(
      [
        { kind: 'facts', items: [] },
        { kind: 'list', ordered: true, items: [''] },
        { kind: 'paragraph', text: '' },
        { kind: 'heading', level: 2, text: '' },
        { kind: 'notice', title: '', text: '' },
        { kind: 'signatures', parties: [] },
        { kind: 'table', caption: 'None', columns: [], rows: [] },
      ],
      { parties: [{ label: 'From', lines: [] }] },
    );
    const pdf = await renderPdf(empty, { ...brand, address: [], footer: '' });
    await checkPdf(pdf);
    expect(await textOf(pdf)).toEqual([
      'A Alder Capital',
      'Statement',
      'Alder Capital Page 1 of 1',
    ]);
  });
});
