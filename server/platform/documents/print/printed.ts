import type { Brand } from '../../../rendering/brand.ts';
import type { Format } from '../../../rendering/format.ts';
import type { PrintedDocument } from '../../../rendering/model.ts';
import type { Row, Rows } from '../read/reader.ts';

/** What documents are made of. */
export interface Source {
  /** What the one who asks sees. */
  readonly rows: Rows;
  readonly format: Format;
  /** Who prints: a party of agreements. */
  readonly brand: Brand;
}

/** A document, and what is told of it over HTTP. */
export interface Printed {
  readonly document: PrintedDocument;
  /** Of the file, without its ending; whatever somebody has entered. */
  readonly name: string;
  /** When it changed last; undefined where its reader may not see when some part of it did. */
  readonly lastModified: Date | undefined;
}

/** The document as far as the reader sees it; undefined where the reader does not see what it is about. */
export type Print<Subject> = (source: Source, subject: Subject) => Promise<Printed | undefined>;

/** What a column holds, as it is entered; undefined where it is empty or hidden. */
export function cellOf(row: Row | undefined, column: string): string | undefined {
  return row?.[column] ?? undefined;
}

/** What a document says of its language: its words are English, whatever the locale of its numbers. */
export function languageOf({ locale }: Format): string {
  return /^en\b/i.test(locale) ? locale : 'en';
}

/** An amount; without its currency where that is hidden. */
export function moneyText(
  format: Format,
  amount: string | undefined,
  currency: string | undefined,
): string | undefined {
  if (amount === undefined) return undefined;
  return currency === undefined ? format.number(amount) : format.money(amount, currency);
}

/** `bank_transfer` as people say it: `Bank transfer`. */
export function wordsOf(label: string | undefined): string | undefined {
  if (label === undefined) return undefined;
  const words = label.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
