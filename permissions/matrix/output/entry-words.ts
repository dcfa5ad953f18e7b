import type { MatrixColumn, MatrixEntry } from '../build-matrix.ts';

/** Describes an entry in words, without its role, table and operation. */
export function entryWords(entry: MatrixEntry): readonly string[] {
  const { rows, check, presets, aggregations, limit, backendOnly, from } = entry;
  const columns = columnWords(entry);
  return [
    rows,
    ...(check === undefined ? [] : [`afterwards ${check}`]),
    ...(columns === '' ? [] : [columns]),
    ...(presets.length > 0 ? [`sets ${presets.join(', ')}`] : []),
    ...(aggregations ? ['with aggregations'] : []),
    ...(limit === undefined ? [] : [`at most ${limit} rows`]),
    ...(backendOnly ? ['backend only'] : []),
    ...(from.length > 0 ? [`inherited from ${from.join(', ')}`] : []),
  ];
}

function columnWords({ columns, operation, from }: MatrixEntry): string {
  if (operation === 'delete') return '';
  if (columns.length === 0) return 'no columns';
  return `columns ${columns.map((column) => oneColumn(column, from.length)).join(', ')}`;
}

/** Names the parents of a column only if not all parents of the entry have it. */
function oneColumn({ name, rows, from }: MatrixColumn, parents: number): string {
  const facts = [
    ...(rows === undefined ? [] : [`in ${rows}`]),
    ...(from.length > 0 && from.length < parents ? [`from ${from.join(', ')}`] : []),
  ];
  return facts.length > 0 ? `${name} (${facts.join('; ')})` : name;
}
