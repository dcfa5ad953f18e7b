import type { Format } from '../../../rendering/format.ts';
import type { Block, Column, Total } from '../../../rendering/model.ts';
import type { ReportData, ReportRow } from './report-data.ts';

/** A column of a table, with the text of its cells. */
export interface ColumnOf extends Column {
  text(row: ReportRow, format: Format): string;
}

/** Returns a field of a row as text; empty when the field is absent. */
export function fieldText(row: ReportRow, name: string): string {
  const value = row[name];
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return value ?? '';
}

/** Formats a label for people: `bank_transfer` becomes `Bank transfer`. */
export function words(label: string): string {
  const text = label
    .replaceAll('_', ' ')
    .replaceAll(/\b(aml|id|kyc|mfa)\b/gi, (short) => short.toUpperCase());
  return text.charAt(0).toUpperCase() + text.slice(1);
}

type Make = (name: string, title: string, width?: number) => ColumnOf;

const column =
  (align: Column['align'], write: (row: ReportRow, name: string, format: Format) => string): Make =>
  (name, title, width = 3) => ({
    title,
    align,
    width,
    text: (row, format) => (fieldText(row, name) === '' ? '' : write(row, name, format)),
  });

/** Makers of columns, by the type of their values. */
export const columns = {
  text: column('start', fieldText),
  words: column('start', (row, name) => words(fieldText(row, name))),
  date: column('start', (row, name, format) => format.date(fieldText(row, name))),
  time: column('start', (row, name, format) => format.dateTime(fieldText(row, name))),
  number: column('end', (row, name, format) => format.number(fieldText(row, name))),
  /** An amount in the currency of the row. */
  money: column('end', (row, name, format) =>
    format.money(fieldText(row, name), fieldText(row, 'currency')),
  ),
  usd: column('end', (row, name, format) => format.money(fieldText(row, name), 'USD')),
} as const satisfies Record<string, Make>;

/** Makes a table with a caption, or a heading with a sentence when no rows exist. */
export function tableOf(
  caption: string,
  rows: readonly ReportRow[] | undefined,
  shown: readonly ColumnOf[],
  format: Format,
  totals: readonly Total[] = [],
): readonly Block[] {
  if (!rows || rows.length === 0) {
    return [
      { kind: 'heading', level: 2, text: caption },
      { kind: 'paragraph', text: 'None in this period.' },
    ];
  }
  return [
    {
      kind: 'table',
      caption,
      columns: shown.map(({ title, align, width }) => ({ title, align, width })),
      rows: rows.map((row) => shown.map(({ text }) => text(row, format))),
      ...(totals.length > 0 && { totals }),
    },
  ];
}

/** Writes the contents of one kind of report. */
export type ReportBlocks = (data: ReportData, format: Format) => readonly Block[];
