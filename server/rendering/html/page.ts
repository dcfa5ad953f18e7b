import type { DocumentStatus, Party, PrintedDocument } from '../model.ts';
import { renderBlocks } from './blocks.ts';
import { directionOf } from './direction.ts';
import { html, Markup, nothing } from './markup.ts';
import type { Skin } from './skin.ts';

/** The frame of a page. */
export interface Page {
  readonly document: PrintedDocument;
  /** The contents of `meta` elements by name, in addition to the viewport. */
  readonly metas: Readonly<Record<string, string>>;
  readonly stylesheet: string;
  /** The attributes of the body, with a leading space. */
  readonly body?: Markup;
}

/** Renders a complete HTML page with the given content. */
export function renderPage(page: Page, content: Markup): string {
  const { document, metas, stylesheet, body = nothing } = page;
  const { language, title } = document;
  const rest = Object.entries(metas).map(
    ([name, value]) => html`<meta name="${name}" content="${value}">
`,
  );
  return html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
${rest}${new Markup(`<style>${stylesheet}</style>`)}
</head>
<body${body}>
${content}
</body>
</html>
`.text;
}

/** Renders heading, status, parties and blocks. Omits empty parts. */
export function renderContent(document: PrintedDocument, skin: Skin): Markup {
  const { title, heading, status, parties, blocks } = document;
  const top = html`<h1${skin.attributes.heading[1]}>${heading || title}</h1>
${renderStatus(status, skin)}`;
  return html`${skin.top(top)}
${skin.parties(parties.flatMap(withoutEmptyLines))}
${renderBlocks(blocks, skin)}`;
}

function renderStatus(status: DocumentStatus | undefined, skin: Skin): Markup {
  if (!status?.text) return nothing;
  return html`<p${skin.attributes.status(status.tone)}>${status.text}</p>`;
}

function withoutEmptyLines({ label, lines }: Party): readonly Party[] {
  const shown = lines.filter((line) => line !== '');
  return shown.length === 0 ? [] : [{ label, lines: shown }];
}
