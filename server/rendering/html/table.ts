import type { Column, Table, Total } from '../model.ts';
import { html, type Markup, nothing } from './markup.ts';
import { fitOf, hasLongWord } from './table-fit.ts';

/** What cells say on narrow screens, by column. */
type Labels = readonly Markup[];

/**
 * A table whose parts say by roles what they are: on narrow screens each row is laid out as a card of its own, and some
 * browsers then no longer take it for a row. A table without columns is left out.
 */
export function renderTable(table: Table): Markup {
  const { caption, columns, rows, totals = [] } = table;
  if (columns.length === 0) return nothing;
  const labels = columns.map(({ title }) => html` data-label="${title}"`);
  return html`<table role="table" class="${fitOf(table)}">
${caption === '' ? nothing : html`<caption dir="auto">${caption}</caption>`}
<colgroup>${widthsOf(columns).map((width) => html`<col class="w${width}">`)}</colgroup>
<thead role="rowgroup"><tr role="row">${columns.map(renderHead)}</tr></thead>
<tbody role="rowgroup">
${rows.map((row) => renderRow(row, columns, labels))}</tbody>
${renderTotals(totals, columns.length)}</table>
`;
}

function renderHead({ title, align }: Column): Markup {
  // A head without a text names nothing.
  if (title === '') return html`<td role="cell"></td>`;
  return html`<th role="columnheader" scope="col" dir="auto"${classOf(align, title)}>${title}</th>`;
}

function renderRow(row: readonly string[], columns: readonly Column[], labels: Labels): Markup {
  const cells = columns.map(({ align }, index) => {
    const text = row[index] ?? '';
    const attributes = html` dir="auto"${classOf(align, text)}`;
    return index === 0 && text !== ''
      ? html`<th role="rowheader" scope="row"${attributes}>${text}</th>`
      : html`<td role="cell"${attributes}${labels[index] ?? nothing}>${text}</td>`;
  });
  return html`<tr role="row">${cells}</tr>
`;
}

function classOf(align: Column['align'], text: string): Markup {
  const long = hasLongWord(text);
  if (align === 'start') return long ? html` class="long"` : nothing;
  return long ? html` class="n long"` : html` class="n"`;
}

function renderTotals(totals: readonly Total[], columns: number): Markup {
  if (totals.length === 0) return nothing;
  const span = Math.max(1, columns - 1);
  const rendered = totals.map(
    ({ label, value, strong }) =>
      html`<tr role="row"${strong ? html` class="strong"` : nothing}><th role="rowheader" scope="row" dir="auto"${classOf('start', label)} colspan="${span}">${label}</th><td role="cell" dir="auto"${classOf('end', value)}>${value}</td></tr>
`,
  );
  return html`<tfoot role="rowgroup">
${rendered}</tfoot>
`;
}

/** Shares of the width in whole per cent, for which the style sheet has classes. */
function widthsOf(columns: readonly Column[]): readonly number[] {
  const whole = columns.reduce((sum, { width }) => sum + Math.max(0, width), 0);
  return columns.map(({ width }) => {
    const share = whole > 0 ? Math.max(0, width) / whole : 1 / columns.length;
    return Math.max(1, Math.round(share * 100));
  });
}
