import { type Brand, textOn } from '../../rendering/brand.ts';
import { html, type Markup, nothing } from '../../rendering/html/markup.ts';
import { isWebAddress, linkLine } from '../../rendering/link.ts';
import type {
  Block,
  Facts,
  Heading,
  Link,
  List,
  Notice,
  Signatures,
} from '../../rendering/model.ts';
import { broken } from './broken.ts';
import { styles } from './styles.ts';
import { renderMailTable } from './table.ts';

/** The blocks in their order; those without content are left out. */
export function renderMailBlocks(blocks: readonly Block[], brand: Brand): Markup {
  let level = 1;
  const rendered = blocks.map((block) => {
    if (block.kind !== 'heading') return renderBlock(block, brand);
    if (block.text === '') return nothing;
    // A heading may go down by one level at a time, or readers of headings miss one.
    level = Math.min(block.level, level + 1);
    return renderHeading(block, level);
  });
  return html`${rendered}`;
}

function renderBlock(block: Exclude<Block, Heading>, brand: Brand): Markup {
  switch (block.kind) {
    case 'paragraph':
      return renderParagraph(block.text);
    case 'facts':
      return renderFacts(block);
    case 'table':
      return renderMailTable(block);
    case 'list':
      return renderList(block);
    case 'notice':
      return renderNotice(block);
    case 'link':
      return renderButton(block, brand);
    case 'signatures':
      return renderSignatures(block);
  }
}

function renderHeading({ text }: Heading, level: number): Markup {
  return level === 2
    ? html`<h2 class="ink" dir="auto" style="${styles.h2}">${text}</h2>
`
    : html`<h3 class="ink" dir="auto" style="${styles.h3}">${text}</h3>
`;
}

function renderParagraph(text: string): Markup {
  if (text === '') return nothing;
  return html`<p class="ink" dir="auto" style="${styles.text}">${broken(text)}</p>
`;
}

function renderFacts({ items }: Facts): Markup {
  if (items.length === 0) return nothing;
  const rows = items.map(
    ({ term, value }) =>
      html`<tr><th scope="row" class="soft line" dir="auto" width="35%" style="${styles.term}">${term}</th><td class="ink line" dir="auto" style="${styles.value}">${broken(value)}</td></tr>
`,
  );
  return html`<table cellpadding="0" cellspacing="0" border="0" style="${styles.table}">
${rows}</table>
`;
}

function renderList({ ordered, items }: List): Markup {
  const shown = items.filter((item) => item !== '');
  if (shown.length === 0) return nothing;
  const entries = shown.map(
    (item) => html`<li style="margin:0 0 4px"><span dir="auto">${broken(item)}</span></li>`,
  );
  return ordered
    ? html`<ol class="ink" style="${styles.list}">${entries}</ol>
`
    : html`<ul class="ink" style="${styles.list}">${entries}</ul>
`;
}

function renderNotice({ title, text }: Notice): Markup {
  if (title === '' && text === '') return nothing;
  const head = title === '' ? nothing : html`<strong>${title}</strong>`;
  const between = title === '' || text === '' ? nothing : html`<br>`;
  return html`<p class="notice" dir="auto" style="${styles.notice}">${head}${between}${broken(text)}</p>
`;
}

/** Below it the address as it is, for whoever prints the mail or trusts no button. */
function renderButton(link: Link, { colour }: Brand): Markup {
  const { text, url } = link;
  if (!isWebAddress(url)) return renderParagraph(linkLine(link));
  return html`<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 24px"><tr><td bgcolor="${colour}" style="border-radius:6px;background:${colour}"><a href="${url}" target="_blank" rel="noopener" dir="auto" style="${styles.button};background:${colour};color:${textOn(colour)}">${text || url}</a></td></tr></table>
`;
}

function renderSignatures({ parties }: Signatures): Markup {
  return html`${parties.map((party) => html`<p class="ink line" dir="auto" style="${styles.signature}">${party}</p>`)}`;
}
