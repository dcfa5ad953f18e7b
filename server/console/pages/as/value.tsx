import type { SeenRow } from '../api/answers.ts';

/** A value of a row. A value that the role does not get is grey, struck by a sign, and said to be hidden. */
export function Value({ row, column }: { readonly row: SeenRow; readonly column: number }) {
  const value = row.values[column] ?? null;
  const shown = value === null ? <em>null</em> : value;
  if (!row.hidden.includes(column)) return <span class="as-value">{shown}</span>;
  return (
    <span class="as-value as-hidden">
      <span aria-hidden="true">⊘ </span>
      <span class="hidden">hidden from the role: </span>
      {shown}
    </span>
  );
}
