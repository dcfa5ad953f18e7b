import { createHash } from 'node:crypto';
import type { Brand } from '../brand.ts';
import type { PrintedDocument } from '../model.ts';
import { brandOf } from './brand-parts.ts';
import { documentSkin } from './document-skin.ts';
import { html } from './markup.ts';
import { renderContent, renderPage } from './page.ts';
import { stylesheet } from './stylesheet.ts';

/**
 * Content-Security-Policy of the pages: their own style sheet, pictures that they carry, and nothing else. It changes
 * with the style sheet, so a page must not be served with the policy of another version.
 */
export const htmlSecurityPolicy: string = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(stylesheet).digest('base64')}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** A whole page that asks nobody for anything and runs nothing. It says what the PDF says, in the same order. */
export function renderHtml(document: PrintedDocument, brand: Brand): string {
  const { band, header, footer } = brandOf(brand);
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
