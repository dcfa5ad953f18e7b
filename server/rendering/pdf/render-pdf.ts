import type { Brand } from '../brand.ts';
import type { PrintedDocument } from '../model.ts';
import { blockGroups } from './blocks/block-groups.ts';
import { partyGroups } from './blocks/parties.ts';
import { flow } from './layout/flow.ts';
import { Sheet } from './layout/sheet.ts';
import { page } from './layout/style.ts';
import { brandGroups, titleGroups } from './masthead.ts';
import { drawFrames } from './page-frame.ts';
import { fontFace } from './text/font-face.ts';

/**
 * Renders a document as a tagged PDF (A4, PDF/UA-1) with embedded fonts. The same document and brand give the same
 * bytes. @throws Error when pdfkit cannot read the logo
 */
export async function renderPdf(document: PrintedDocument, brand: Brand): Promise<Uint8Array> {
  const sheet = new Sheet(pdfOptions(document, brand));
  const bytes = collect(sheet.pdf);
  draw(sheet, document, brand);
  sheet.pdf.end();
  return bytes;
}

function draw(sheet: Sheet, document: PrintedDocument, brand: Brand): void {
  const root = sheet.tag(undefined, 'Document');
  const groups = [
    ...brandGroups(sheet, root, brand),
    ...titleGroups(sheet, root, document),
    ...partyGroups(sheet, root, document.parties),
    ...blockGroups(sheet, root, document.blocks, brand.colour),
  ];
  sheet.addPage();
  flow(sheet, groups, page.top);
  root.end();
  drawFrames(sheet, document, brand);
}

function pdfOptions(document: PrintedDocument, brand: Brand): PDFKit.PDFDocumentOptions {
  const modified = new Date(document.modifiedAt);
  return {
    size: [page.width, page.height],
    margin: 0,
    autoFirstPage: false,
    // Keeps all pages open, because the page frames are drawn when the number of pages is known.
    bufferPages: true,
    // No default font: pdfkit's default font is not embedded in the file, as PDF/UA requires.
    font: null as unknown as string,
    pdfVersion: '1.7',
    subset: 'PDF/UA' as NonNullable<PDFKit.PDFDocumentOptions['subset']>,
    tagged: true,
    displayTitle: true,
    lang: document.language,
    info: {
      Title: infoText(document.title),
      Author: infoText(brand.name),
      Creator: 'Rowgate',
      CreationDate: modified,
      ModDate: modified,
    },
  };
}

/** Makes a text of the metadata. The cast is necessary because pdfkit's types require a primitive string. */
function infoText(text: string): string {
  return new InfoText(
    fontFace('regular').printable(text).replaceAll('\n', ' '),
  ) as unknown as string;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * A text of the file's metadata. Pdfkit writes it twice: with `valueOf` into the information dictionary, and with
 * `toString` into XML, which it does not escape.
 */
class InfoText extends String {
  /**
   * Pdfkit calls this to detect non-ASCII characters. The inherited function would use the escaped text of `toString`.
   */
  override charCodeAt(index: number): number {
    return this.valueOf().charCodeAt(index);
  }

  override toString(): string {
    return this.valueOf().replace(/[&<>]/g, (character) => entities[character] ?? '');
  }
}

async function collect(pdf: PDFKit.PDFDocument): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  pdf.on('data', (chunk: Uint8Array) => chunks.push(chunk));
  await new Promise((resolve, reject) => pdf.once('end', resolve).once('error', reject));
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
