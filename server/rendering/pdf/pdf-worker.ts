import { move, workerData } from 'piscina';
import type { Brand } from '../brand.ts';
import type { PrintedDocument } from '../model.ts';
import { renderPdf } from './render-pdf.ts';

/** What a thread of the pool does; its bytes are handed over, not copied. */
export async function render(document: PrintedDocument): Promise<Uint8Array> {
  const bytes = await renderPdf(document, workerData as Brand);
  return move(bytes as Uint8Array<ArrayBuffer>) as Uint8Array;
}
