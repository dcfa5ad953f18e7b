import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { PrintedDocument } from '../../../../../server/platform/document/model.ts';
import { renderPdf } from '../../../../../server/platform/document/pdf/render-pdf.ts';
import { lacksPdfTools, pagesOf } from '../../../../support/pdf-tools.ts';
import { difference, readPng } from './png.ts';
import { brand, documentOf, everyKind, tableOf } from './printed.ts';

const golden = path.resolve(import.meta.dirname, '../../../../golden/pdf');
const dotsPerInch = 50;
/** Other versions of poppler smooth letters a little differently. */
const tolerance = 0.01;

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

/** The pages as they were looked at; UPDATE_GOLDEN=1 takes them as they are now. */
async function seen(name: string, document: PrintedDocument): Promise<readonly number[]> {
  const pages = await pagesOf(await renderPdf(document, brand), dotsPerInch);
  const files = pages.map((_, index) => path.join(golden, `${name}-${index + 1}.png`));
  if (process.env.UPDATE_GOLDEN === '1') {
    if (process.env.CI) throw new Error('UPDATE_GOLDEN rewrites the judges; CI may not');
    await Promise.all(files.map((file, index) => writeFile(file, pages[index] ?? '')));
  }
  const expected = await Promise.all(files.map((file) => readFile(file)));
  return pages.map((page, index) => difference(readPng(page), readPng(expected[index] as Buffer)));
}

describe.skipIf(lacksPdfTools())('pages of PDFs', () => {
  it('look as they did, with blocks of every kind', async () => {
    const differences = await seen('every-kind', everyKind);
    expect(differences).toHaveLength(2);
    expect(Math.max(...differences)).toBeLessThan(tolerance);
  });

  it('look as they did, with words from right to left and long ones', async () => {
    const differences = await seen('right-to-left', rightToLeft);
    expect(differences).toHaveLength(1);
    expect(Math.max(...differences)).toBeLessThan(tolerance);
  });
});
