import type { Table, Total } from '../model.ts';
import { html, type Markup, nothing } from './markup.ts';
import type { ColumnSkin, Skin, TableSkin } from './skin.ts';

/** Renders a table. A table without columns is omitted. */
export function renderTable(table: Table, skin: Skin): Markup {
  const { caption, columns, rows, totals = [] } = table;
  if (columns.length === 0) return nothing;
  const { group, row, ...parts } = skin.table;
  const skins = columns.map((one, index) => parts.column(one, index, columns.length));
  const heads = columns.map(({ title }, index) => renderHead(title, skins[index]?.head ?? nothing));
  return html`<table${parts.table(table)}>
${caption === '' ? nothing : html`<caption${parts.caption}>${caption}</caption>`}
${parts.widths(columns)}<thead${group}><tr${row}>${heads}</tr></thead>
<tbody${group}>
${rows.map((cells) => renderRow(cells, skins, skin))}</tbody>
${renderTotals(totals, columns.length, skin.table)}</table>
`;
}

/**
 * Renders a column title. An empty title becomes a `td` instead of a `th`, because screen readers would announce an
 * empty header for each cell.
 */
function renderHead(title: string, attributes: Markup): Markup {
  return title === '' ? html`<td${attributes}></td>` : html`<th${attributes}>${title}</th>`;
}

/** Renders a row, with its first cell as the row header. */
function renderRow(
  cells: readonly string[],
  columns: readonly ColumnSkin[],
  { text: written, table: { row } }: Skin,
): Markup {
  const rendered = columns.map(({ rowHeader, cell }, index) => {
    const text = cells[index] ?? '';
    return index === 0 && text !== ''
      ? html`<th${rowHeader(text)}>${written(text)}</th>`
      : html`<td${cell(text)}>${written(text)}</td>`;
  });
  return html`<tr${row}>${rendered}</tr>
`;
}

function renderTotals(totals: readonly Total[], columns: number, skin: TableSkin): Markup {
  if (totals.length === 0) return nothing;
  const span = Math.max(1, columns - 1);
  const rows = totals.map((total) => {
    const { row, label, value } = skin.total(total, span);
    return html`<tr${row}><th${label}>${total.label}</th><td${value}>${total.value}</td></tr>
`;
  });
  return html`<tfoot${skin.group}>
${rows}</tfoot>
`;
}
