import type { Column, Facts, Notice, Party } from '../model.ts';
import { lines } from './lines.ts';
import { html, type Markup, nothing } from './markup.ts';
import type { ColumnSkin, Skin } from './skin.ts';
import { fitOf, hasLongWord } from './table-fit.ts';

const ownDirection = html` dir="auto"`;

/**
 * The markup of documents. It has classes only: one style sheet for all documents gives them their look and preserves
 * line ends.
 */
export const documentSkin: Skin = {
  text: (text) => text,
  attributes: {
    heading: { 1: ownDirection, 2: ownDirection, 3: ownDirection },
    paragraph: html` class="text" dir="auto"`,
    list: nothing,
    listItem: nothing,
    status: (tone) => html` class="status ${tone}" dir="auto"`,
  },
  top: (content) => html`<div class="top">
${content}
</div>`,
  parties: renderParties,
  facts: renderFacts,
  notice: renderNotice,
  link: ({ text, url }) => html`<p dir="auto"><a href="${url}">${text}</a></p>
`,
  signatures: renderSignatures,
  // Explicit roles, because on narrow screens rows become cards, which some browsers no longer treat as rows.
  table: {
    table: (table) => html` role="table" class="${fitOf(table)}"`,
    caption: ownDirection,
    widths: (columns) =>
      html`<colgroup>${widthsOf(columns).map((width) => html`<col class="w${width}">`)}</colgroup>
`,
    group: html` role="rowgroup"`,
    row: html` role="row"`,
    column: columnSkin,
    total: ({ label, value, strong }, span) => ({
      row: html` role="row"${strong ? html` class="strong"` : nothing}`,
      label: html` role="rowheader" scope="row" dir="auto"${classOf('start', label)} colspan="${span}"`,
      value: html` role="cell" dir="auto"${classOf('end', value)}`,
    }),
  },
};

function renderParties(parties: readonly Party[]): Markup {
  if (parties.length === 0) return nothing;
  return html`<div class="parties">
${parties.map(renderParty)}</div>`;
}

function renderParty({ label, lines: texts }: Party): Markup {
  const heading = label === '' ? nothing : html`<h2 class="label" dir="auto">${label}</h2>`;
  return html`<section>${heading}<address>${lines(texts)}</address></section>
`;
}

function renderFacts(items: Facts['items']): Markup {
  const pairs = items.map(
    ({ term, value }) =>
      html`<div><dt dir="auto">${term}</dt><dd dir="auto">${value}</dd></div>
`,
  );
  return html`<dl>
${pairs}</dl>
`;
}

function renderNotice({ title, text }: Notice): Markup {
  const head = title === '' ? nothing : html`<p class="title" dir="auto">${title}</p>`;
  const body = text === '' ? nothing : html`<p class="text" dir="auto">${text}</p>`;
  return html`<div class="notice" role="note">${head}${body}</div>
`;
}

function renderSignatures(parties: readonly string[]): Markup {
  const entries = parties.map(
    (party) => html`<li><span dir="auto">${party}</span></li>
`,
  );
  // Safari treats a list without bullets as a list only with an explicit role.
  return html`<ul class="signatures" role="list">
${entries}</ul>
`;
}

function columnSkin({ title, align }: Column): ColumnSkin {
  // On narrow screens the style sheet shows the column's title in each cell.
  const label = html` data-label="${title}"`;
  const head = html` role="columnheader" scope="col" dir="auto"${classOf(align, title)}`;
  return {
    head: title === '' ? html` role="cell"` : head,
    rowHeader: (text) => html` role="rowheader" scope="row" dir="auto"${classOf(align, text)}`,
    cell: (text) => html` role="cell" dir="auto"${classOf(align, text)}${label}`,
  };
}

function classOf(align: Column['align'], text: string): Markup {
  const long = hasLongWord(text);
  if (align === 'start') return long ? html` class="long"` : nothing;
  return long ? html` class="n long"` : html` class="n"`;
}

/** Returns the widths of the columns in whole per cent, for which the style sheet has classes. */
function widthsOf(columns: readonly Column[]): readonly number[] {
  const whole = columns.reduce((sum, { width }) => sum + Math.max(0, width), 0);
  return columns.map(({ width }) => {
    const share = whole > 0 ? Math.max(0, width) / whole : 1 / columns.length;
    return Math.max(1, Math.round(share * 100));
  });
}
