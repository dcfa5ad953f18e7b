import { setTimeout as delay } from 'node:timers/promises';
import type { PrintedDocument } from '../../../rendering/model.ts';
import { DocumentTooLarge } from '../../../rendering/pdf/document-size.ts';
import {
  type PdfRenderer,
  RenderQueueFull,
  RenderTimedOut,
} from '../../../rendering/pdf/pdf-renderer.ts';

const pauseMs = 1000;
const maxPauses = 120;

/**
 * Renders a document. Waits while the queue of the renderer is full, so that interactive requests go first.
 * @throws errors of the renderer; RenderQueueFull after two minutes
 */
export async function renderWithRetry(
  renderer: PdfRenderer,
  document: PrintedDocument,
): Promise<Uint8Array> {
  for (let pauses = 0; ; pauses += 1) {
    try {
      return await renderer.render(document);
    } catch (error) {
      if (!(error instanceof RenderQueueFull) || pauses >= maxPauses) throw error;
    }
    await delay(pauseMs);
  }
}

/** Returns the reason, as a text for the requester, when a retry cannot succeed; undefined for temporary errors. */
export function reasonToGiveUp(error: unknown): string | undefined {
  if (error instanceof DocumentTooLarge || error instanceof RenderTimedOut) {
    return 'there is more in this period than can be printed; choose a shorter one';
  }
  return undefined;
}
