import { isWebAddress, linkLine } from '../link.ts';
import type { Block, Heading, Link, List } from '../model.ts';
import { html, type Markup, nothing } from './markup.ts';
import type { Skin } from './skin.ts';
import { renderTable } from './table.ts';

/** The blocks in their order; those without content are left out, so that nobody is told of an empty list. */
export function renderBlocks(blocks: readonly Block[], skin: Skin): Markup {
  let level: 1 | 2 | 3 = 1;
  const rendered = blocks.map((block) => {
    if (block.kind !== 'heading') return renderBlock(block, skin);
    if (block.text === '') return nothing;
    // A heading may go down by one level at a time, or readers of headings miss one.
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
  // A text in its own direction, with the bullet where the document's direction has it.
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
