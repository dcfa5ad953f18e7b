import { isWebAddress, linkLine } from '../link.ts';
import type { Block, Heading, Link, List } from '../model.ts';
import { html, type Markup, nothing } from './markup.ts';
import type { Skin } from './skin.ts';
import { renderTable } from './table.ts';

/** Renders blocks in order. Omits blocks without content, so that screen readers announce no empty list. */
export function renderBlocks(blocks: readonly Block[], skin: Skin): Markup {
  let level: 1 | 2 | 3 = 1;
  const rendered = blocks.map((block) => {
    if (block.kind !== 'heading') return renderBlock(block, skin);
    if (block.text === '') return nothing;
    // The first heading after the title gets level 2, whatever its own level, because screen reader users take a
    // skipped level for missing content.
    level = level === 1 ? 2 : block.level;
    return html`<h${level}${skin.attributes.heading[level]}>${block.text}</h${level}>
`;
  });
  return html`${rendered}`;
}

function renderBlock(block: Exclude<Block, Heading>, skin: Skin): Markup {
  switch (block.kind) {
    case 'paragraph':
      return renderParagraph(block.text, skin);
    case 'facts':
      return block.items.length === 0 ? nothing : skin.facts(block.items);
    case 'table':
      return renderTable(block, skin);
    case 'list':
      return renderList(block, skin);
    case 'notice':
      return block.title === '' && block.text === '' ? nothing : skin.notice(block);
    case 'link':
      return renderLink(block, skin);
    case 'signatures':
      return block.parties.length === 0 ? nothing : skin.signatures(block.parties);
  }
}

function renderParagraph(text: string, { attributes, text: written }: Skin): Markup {
  if (text === '') return nothing;
  return html`<p${attributes.paragraph}>${written(text)}</p>
`;
}

function renderList({ ordered, items }: List, { attributes, text }: Skin): Markup {
  const shown = items.filter((item) => item !== '');
  if (shown.length === 0) return nothing;
  // Only the text of an entry gets its own writing direction, so that the bullet stays on the document's side.
  const entries = shown.map(
    (item) => html`<li${attributes.listItem}><span dir="auto">${text(item)}</span></li>
`,
  );
  const tag = ordered ? html`ol` : html`ul`;
  return html`<${tag}${attributes.list}>
${entries}</${tag}>
`;
}

function renderLink(link: Link, skin: Skin): Markup {
  if (!isWebAddress(link.url)) return renderParagraph(linkLine(link), skin);
  return skin.link({ ...link, text: link.text || link.url });
}
