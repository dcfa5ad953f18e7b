import { describe, expect, it } from 'vitest';
import { renderPdf } from '../../../../server/rendering/pdf/render-pdf.ts';
import { lookAsTheyDid } from '../../../support/golden-pages.ts';
import { lacksPdfTools } from '../../../support/pdf-tools.ts';
import { brand, documentOf, everyKind, tableOf } from './printed.ts';

const rightToLeft = documentOf(
  [
    { kind: 'paragraph', text: '\u05e9\u05dc\u05d5\u05dd (\u05e2\u05d5\u05dc\u05dd) 2026' },
    { kind: 'paragraph', text: '\u0645\u0631\u062d\u0628\u0627 \u0628\u0643\u0645 123' },
    tableOf(2, {
      rows: [
        ['\u05e9\u05e8\u05d4 \u05db\u05d4\u05df', '1', '\u20ac1.00'],
        ['Donaudampfschifffahrt'.repeat(4), '2', '\u20ac2.00'],
      ],
    }),
  ],
  { parties: [{ label: 'Billed to', lines: ['\u05e9\u05e8\u05d4 \u05db\u05d4\u05df', 'Haifa'] }] },
);

describe.skipIf(lacksPdfTools())('the pages of a rendered PDF', () => {
  it('match the golden pictures for blocks of every kind', async () => {
    const pdf = await renderPdf(everyKind, brand);
    expect(await lookAsTheyDid('every-kind', pdf)).toEqual([true, true]);
  });

  it('match the golden pictures for right-to-left text and long words', async () => {
    const pdf = await renderPdf(rightToLeft, brand);
    expect(await lookAsTheyDid('right-to-left', pdf)).toEqual([true]);
  });
});
