import { createHash } from 'node:crypto';
import type { Brand } from '../../../rendering/brand.ts';
import { htmlSecurityPolicy } from '../../../rendering/html/render-html.ts';
import type { PrintedDocument } from '../../../rendering/model.ts';
import { version } from '../../../version.ts';

export type DocumentFormat = 'html' | 'pdf';

/**
 * Makes entity tags from the inputs of rendering: contents, format, brand, version and style. Equal inputs get equal
 * tags, so an unchanged document is answered with 304 and not rendered again.
 */
export function makeEntityTags(
  brand: Brand,
): (document: PrintedDocument, format: DocumentFormat) => string {
  const look = createHash('sha256')
    .update(
      JSON.stringify([version, htmlSecurityPolicy, { ...brand, logo: brand.logo?.contentType }]),
    )
    .update(brand.logo?.data ?? '')
    .digest('hex');
  return (document, format) => {
    const text = JSON.stringify([look, format, document]);
    return `"${createHash('sha256').update(text).digest('base64url')}"`;
  };
}
