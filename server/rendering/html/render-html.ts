import { createHash } from 'node:crypto';
import type { Brand } from '../brand.ts';
import type { DocumentStatus, Party, PrintedDocument } from '../model.ts';
import { renderBlocks } from './blocks.ts';
import { brandOf } from './brand-parts.ts';
import { directionOf } from './direction.ts';
import { lines } from './lines.ts';
import { html, Markup, nothing } from './markup.ts';
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

const style = new Markup(`<style>${stylesheet}</style>`);

/** A whole page that asks nobody for anything and runs nothing. It says what the PDF says, in the same order. */
export function renderHtml(document: PrintedDocument, brand: Brand): string {
  const { band, header, footer } = brandOf(brand);
  return html`<!doctype html>
<html lang="${document.language}" dir="${directionOf(document.language)}">
<head>
<meta charset="utf-8">
<title>${document.title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="author" content="${brand.name}">
<meta name="referrer" content="no-referrer">
<meta name="format-detection" content="telephone=no">
${style}
</head>
<body>
<div class="sheet">
${band}
${header}
<main>
<div class="top">
<h1 dir="auto">${document.heading || document.title}</h1>
${renderStatus(document.status)}
</div>
${renderParties(document.parties)}
${renderBlocks(document.blocks)}
</main>
${footer}
</div>
</body>
</html>
`.text;
}

function renderStatus(status: DocumentStatus | undefined): Markup {
  if (!status?.text) return nothing;
  return html`<p class="status ${status.tone}" dir="auto">${status.text}</p>`;
}

function renderParties(parties: readonly Party[]): Markup {
  const shown = parties.filter((party) => party.lines.some((line) => line !== ''));
  if (shown.length === 0) return nothing;
  return html`<div class="parties">
${shown.map(renderParty)}</div>`;
}

function renderParty({ label, lines: texts }: Party): Markup {
  const heading = label === '' ? nothing : html`<h2 class="label" dir="auto">${label}</h2>`;
  return html`<section>${heading}<address>${lines(texts)}</address></section>
`;
}
