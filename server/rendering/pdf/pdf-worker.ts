import { move, workerData } from 'piscina';
import type { Brand } from '../brand.ts';
import type { PrintedDocument } from '../model.ts';
import { renderPdf } from './render-pdf.ts';

/** The task of a thread. It transfers the bytes of the PDF to the main thread without copying. */
export async function render(document: PrintedDocument): Promise<Uint8Array> {
  const bytes = await renderPdf(document, workerData as Brand);
  return move(bytes as Uint8Array<ArrayBuffer>) as Uint8Array;
}
