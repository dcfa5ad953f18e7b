import type { Brand } from '../rendering/brand.ts';
import type { PrintedDocument } from '../rendering/model.ts';
import { renderMailHtml } from './html/render-mail-html.ts';
import { renderMailText } from './text/render-mail-text.ts';

/** Renders a document as a mail, in HTML and as plain text with the same content. */
export function renderMail(
  document: PrintedDocument,
  brand: Brand,
): { readonly text: string; readonly html: string } {
  return { text: renderMailText(document, brand), html: renderMailHtml(document, brand) };
}
