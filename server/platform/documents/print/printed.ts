import type { Format } from '../../../rendering/format.ts';
import type { PrintedDocument } from '../../../rendering/model.ts';
import type { Seller } from '../../config/document-config.ts';
import type { Row, Rows } from '../read/row-reader.ts';

/** The data that documents are printed from. */
export interface PrintSource {
  /** The rows that the caller may see. */
  readonly rows: Rows;
  readonly format: Format;
  /** The operator of the platform, which is a party of agreements. */
  readonly brand: Seller;
}

/** A printed document with its file name and modification time. */
export interface Printed {
  readonly document: PrintedDocument;
  /** The file name without extension; may contain user-defined text. */
  readonly name: string;
  /**
   * The time of the last change of any row in the document. Undefined when it is unknown, because the reader may not
   * see the time of every row or rows can be deleted.
   */
  readonly lastModified: Date | undefined;
}

/**
 * Prints the parts of a document that the reader may see; undefined when the reader may not see the subject of the
 * document.
 */
export type Print<Subject> = (
  source: PrintSource,
  subject: Subject,
) => Promise<Printed | undefined>;

/** Returns the value of a column; undefined when it is empty or hidden. */
export function textOf(row: Row | undefined, column: string): string | undefined {
  return row?.[column] ?? undefined;
}

/** Formats an amount, without its currency when the currency is hidden. */
export function moneyText(
  format: Format,
  amount: string | undefined,
  currency: string | undefined,
): string | undefined {
  if (amount === undefined) return undefined;
  return currency === undefined ? format.number(amount) : format.money(amount, currency);
}

/** Formats a label for people: `bank_transfer` becomes `Bank transfer`. */
export function wordsOf(label: string | undefined): string | undefined {
  if (label === undefined) return undefined;
  const words = label.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
