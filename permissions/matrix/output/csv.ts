import type { Matrix, MatrixEntry } from '../build-matrix.ts';

const header = [
  ...['table', 'role', 'operation', 'rows', 'check', 'columns', 'columns in some rows', 'presets'],
  ...['aggregations', 'limit', 'backend only', 'inherited from', 'file', 'line'],
];

/** Formats a matrix as CSV (RFC 4180), one record per role, table and operation. Lines end with CR and LF. */
export function matrixCsv({ entries }: Matrix): string {
  const records = [header, ...entries.map(recordOf)];
  return records.map((fields) => `${fields.map(field).join(',')}\r\n`).join('');
}

function recordOf(entry: MatrixEntry): readonly string[] {
  const masked = entry.columns.filter(({ rows }) => rows !== undefined);
  return [
    ...[entry.table, entry.role, entry.operation, entry.rows, entry.check ?? ''],
    entry.columns.map(({ name }) => name).join(' '),
    masked.map(({ name, rows }) => `${name}: ${rows}`).join('; '),
    entry.presets.join('; '),
    ...[yes(entry.aggregations), String(entry.limit ?? ''), yes(entry.backendOnly)],
    ...[entry.from.join(' '), entry.position.file, String(entry.position.line)],
  ];
}

function yes(value: boolean): string {
  return value ? 'yes' : '';
}

/**
 * Quotes a field if necessary. Spreadsheets run a field that begins with one of these characters as a formula, so such
 * a field gets an apostrophe in front.
 */
function field(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
