import type { Brand } from '../rendering/brand.ts';
import type { PrintedDocument } from '../rendering/model.ts';
import { renderMailHtml } from './html/render-mail-html.ts';
import { renderMailText } from './text/render-mail-text.ts';

/** A document as a mail: for programs that show HTML, and for those that show text alone. Both say the same. */
export function renderMail(
  document: PrintedDocument,
  brand: Brand,
): { readonly text: string; readonly html: string } {
  return { text: renderMailText(document, brand), html: renderMailHtml(document, brand) };
}
