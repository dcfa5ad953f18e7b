import { isWebAddress, linkLine } from '../link.ts';
import type { Block, Facts, Heading, Link, List, Notice, Paragraph, Signatures } from '../model.ts';
import { html, type Markup, nothing } from './markup.ts';
import { renderTable } from './table.ts';

/** The blocks in their order; those without content are left out, so that nobody is told of an empty list. */
export function renderBlocks(blocks: readonly Block[]): Markup {
  let level = 1;
  const rendered = blocks.map((block) => {
    if (block.kind !== 'heading') return renderBlock(block);
    if (block.text === '') return nothing;
    // A heading may go down by one level at a time, or readers of headings miss one.
    level = Math.min(block.level, level + 1);
    return renderHeading(block, level);
  });
  return html`${rendered}`;
}

function renderBlock(block: Exclude<Block, Heading>): Markup {
  switch (block.kind) {
    case 'paragraph':
      return renderParagraph(block);
    case 'facts':
      return renderFacts(block);
    case 'table':
      return renderTable(block);
    case 'list':
      return renderList(block);
    case 'notice':
      return renderNotice(block);
    case 'link':
      return renderLink(block);
    case 'signatures':
      return renderSignatures(block);
  }
}

function renderHeading({ text }: Heading, level: number): Markup {
  return level === 2
    ? html`<h2 dir="auto">${text}</h2>
`
    : html`<h3 dir="auto">${text}</h3>
`;
}

function renderParagraph({ text }: Paragraph): Markup {
  if (text === '') return nothing;
  return html`<p class="text" dir="auto">${text}</p>
`;
}

function renderFacts({ items }: Facts): Markup {
  if (items.length === 0) return nothing;
  const pairs = items.map(
    ({ term, value }) =>
      html`<div><dt dir="auto">${term}</dt><dd dir="auto">${value}</dd></div>
`,
  );
  return html`<dl>
${pairs}</dl>
`;
}

function renderList({ ordered, items }: List): Markup {
  const shown = items.filter((item) => item !== '');
  if (shown.length === 0) return nothing;
  const entries = shown.map(
    (item) => html`<li>${written(item)}</li>
`,
  );
  return ordered
    ? html`<ol>
${entries}</ol>
`
    : html`<ul>
${entries}</ul>
`;
}

function renderNotice({ title, text }: Notice): Markup {
  if (title === '' && text === '') return nothing;
  const head = title === '' ? nothing : html`<p class="title" dir="auto">${title}</p>`;
  const body = text === '' ? nothing : html`<p class="text" dir="auto">${text}</p>`;
  return html`<div class="notice" role="note">${head}${body}</div>
`;
}

function renderLink(link: Link): Markup {
  const { text, url } = link;
  if (!isWebAddress(url)) return renderParagraph({ kind: 'paragraph', text: linkLine(link) });
  return html`<p dir="auto"><a href="${url}">${text || url}</a></p>
`;
}

function renderSignatures({ parties }: Signatures): Markup {
  if (parties.length === 0) return nothing;
  const entries = parties.map(
    (party) => html`<li>${written(party)}</li>
`,
  );
  // Safari takes a list without bullets for none, unless it is told.
  return html`<ul class="signatures" role="list">
${entries}</ul>
`;
}

/** A text in its own direction, with the bullet where the document's direction has it. */
function written(text: string): Markup {
  return html`<span dir="auto">${text}</span>`;
}
