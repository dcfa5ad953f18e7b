import { setTimeout as delay } from 'node:timers/promises';
import type { PrintedDocument } from '../../../rendering/model.ts';
import { DocumentTooLarge } from '../../../rendering/pdf/document-size.ts';
import {
  type PdfRenderer,
  RenderQueueFull,
  RenderTimedOut,
} from '../../../rendering/pdf/pdf-renderer.ts';

const pauseMs = 1000;
const mostPauses = 120;

/** People who wait for their documents go first. @throws as the renderer does, RenderQueueFull after two minutes */
export async function renderPatiently(
  renderer: PdfRenderer,
  document: PrintedDocument,
): Promise<Uint8Array> {
  for (let pauses = 0; ; pauses += 1) {
    try {
      return await renderer.render(document);
    } catch (error) {
      if (!(error instanceof RenderQueueFull) || pauses >= mostPauses) throw error;
    }
    await delay(pauseMs);
  }
}

/** What is the document's own fault, in words for whoever asked for it; undefined for what may be better tomorrow. */
export function reasonToGiveUp(error: unknown): string | undefined {
  if (error instanceof DocumentTooLarge || error instanceof RenderTimedOut) {
    return 'there is more in this period than can be printed; choose a shorter one';
  }
  return undefined;
}
