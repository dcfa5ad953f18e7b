import { html, type Markup, nothing } from '../../rendering/html/markup.ts';
import type { Column, Table, Total } from '../../rendering/model.ts';
import { broken } from './broken.ts';
import { styles } from './styles.ts';

/** Programs that know no `start` and `end` take the words before them. */
const sides = {
  start: 'text-align:left;text-align:start',
  end: 'text-align:right;text-align:end',
} as const;

/** A table as mail programs show it; one without columns is left out. */
export function renderMailTable({ caption, columns, rows, totals = [] }: Table): Markup {
  if (columns.length === 0) return nothing;
  return html`<table cellpadding="0" cellspacing="0" border="0" style="${styles.table}">
${caption === '' ? nothing : html`<caption class="ink" dir="auto" style="${styles.caption}">${caption}</caption>`}
<thead><tr>${columns.map((column, index) => renderHead(column, placeOf(index, columns.length)))}</tr></thead>
<tbody>
${rows.map((row) => renderRow(row, columns))}</tbody>
${renderTotals(totals, columns.length)}</table>
`;
}

function renderHead({ title, align }: Column, place: string): Markup {
  const style = html`class="soft line cell${place}${wide(align)}" style="${styles.head};${sides[align]}"`;
  // A head without a text names nothing.
  if (title === '') return html`<td ${style}></td>`;
  return html`<th scope="col" dir="auto" ${style}>${title}</th>`;
}

function renderRow(row: readonly string[], columns: readonly Column[]): Markup {
  const cells = columns.map(({ align }, index) => {
    const text = row[index] ?? '';
    const kind = `ink line cell${placeOf(index, columns.length)}${wide(align)}`;
    const style = html`class="${kind}" dir="auto" style="${styles.cell};${sides[align]}"`;
    return index === 0 && text !== ''
      ? html`<th scope="row" ${style}>${broken(text)}</th>`
      : html`<td ${style}>${broken(text)}</td>`;
  });
  return html`<tr>${cells}</tr>
`;
}

/** The class of cells whose words may break where a narrow screen has no room: no numbers. */
function wide(align: Column['align']): string {
  return align === 'start' ? ' wide' : '';
}

/** Classes of cells at the sides, which narrow screens have no room around. */
function placeOf(index: number, count: number): string {
  return `${index === 0 ? ' first' : ''}${index === count - 1 ? ' last' : ''}`;
}

function renderTotals(totals: readonly Total[], columns: number): Markup {
  if (totals.length === 0) return nothing;
  const span = Math.max(1, columns - 1);
  const rows = totals.map(({ label, value, strong }) => {
    const style = html`dir="auto" style="${strong ? styles.strong : styles.total}"`;
    return html`<tr><th scope="row" colspan="${span}" class="ink cell" ${style}>${label}</th><td class="ink cell last" ${style}>${value}</td></tr>
`;
  });
  return html`<tfoot>
${rows}</tfoot>
`;
}
