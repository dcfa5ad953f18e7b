import type { Column, Table, Total } from '../model.ts';
import { html, type Markup, nothing } from './markup.ts';

/** Longer words are broken rather than let a column of numbers grow. */
const longWord = /\S{25}/;

/**
 * A table whose parts say by roles what they are: on narrow screens each row is laid out as a card of its own, and some
 * browsers then no longer take it for a row. A table without columns is left out.
 */
export function renderTable({ caption, columns, rows, totals = [] }: Table): Markup {
  if (columns.length === 0) return nothing;
  const cells = columns.map(startOfCell);
  return html`<table role="table">
${caption === '' ? nothing : html`<caption dir="auto">${caption}</caption>`}
<colgroup>${widthsOf(columns).map((width) => html`<col class="w${width}">`)}</colgroup>
<thead role="rowgroup"><tr role="row">${columns.map(renderHead)}</tr></thead>
<tbody role="rowgroup">
${rows.map((row) => renderRow(row, cells))}</tbody>
${renderTotals(totals, columns.length)}</table>
`;
}

function renderHead({ title, align }: Column): Markup {
  // A head without a text names nothing.
  if (title === '') return html`<td role="cell"></td>`;
  return html`<th role="columnheader" scope="col" dir="auto"${classOf(align)}>${title}</th>`;
}

/** A cell of a column up to its text; made once, for there are thousands of cells. */
function startOfCell({ title, align }: Column): { readonly usual: Markup; readonly long: Markup } {
  const start = html`<td role="cell" dir="auto" data-label="${title}"`;
  return {
    usual: html`${start}${classOf(align)}>`,
    long: html`${start}${align === 'end' ? html` class="n long"` : nothing}>`,
  };
}

function classOf(align: Column['align']): Markup {
  return align === 'end' ? html` class="n"` : nothing;
}

function renderRow(
  row: readonly string[],
  cells: readonly ReturnType<typeof startOfCell>[],
): Markup {
  const rendered = cells.map(({ usual, long }, index) => {
    const text = row[index] ?? '';
    if (index === 0 && text !== '') {
      return html`<th role="rowheader" scope="row" dir="auto">${text}</th>`;
    }
    return html`${longWord.test(text) ? long : usual}${text}</td>`;
  });
  return html`<tr role="row">${rendered}</tr>
`;
}

function renderTotals(totals: readonly Total[], columns: number): Markup {
  if (totals.length === 0) return nothing;
  const span = Math.max(1, columns - 1);
  const rendered = totals.map(
    ({ label, value, strong }) =>
      html`<tr role="row"${strong ? html` class="strong"` : nothing}><th role="rowheader" scope="row" dir="auto" colspan="${span}">${label}</th><td role="cell" dir="auto" class="n">${value}</td></tr>
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
