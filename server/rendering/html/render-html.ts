import { createHash } from 'node:crypto';
import type { Brand } from '../brand.ts';
import type { PrintedDocument } from '../model.ts';
import { brandParts } from './brand-parts.ts';
import { documentSkin } from './document-skin.ts';
import { html } from './markup.ts';
import { renderContent, renderPage } from './page.ts';
import { stylesheet } from './stylesheet.ts';

/**
 * The Content-Security-Policy of the pages, which allows only their style sheet and embedded pictures. It contains the hash
 * of the style sheet, so a page must not be served with the policy of another version.
 */
export const htmlSecurityPolicy: string = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(stylesheet).digest('base64')}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Renders a document as an HTML page without scripts and external resources. The PDF has the same content and order. */
export function renderHtml(document: PrintedDocument, brand: Brand): string {
  const { band, header, footer } = brandParts(brand);
  const metas = {
    author: brand.name,
    referrer: 'no-referrer',
    'format-detection': 'telephone=no',
  };
  return renderPage(
    { document, metas, stylesheet },
    html`<div class="sheet">
${band}
${header}
<main>
${renderContent(document, documentSkin)}
</main>
${footer}
</div>`,
  );
}
