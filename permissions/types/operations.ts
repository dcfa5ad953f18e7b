import type { RawListedDocument } from '../metadata/documents/read-listed-documents.ts';

/** A document of the allow-list. No other document of its collection has its name. */
export interface ListedDocument extends RawListedDocument {
  readonly collection: string;
  /** The roles that may run the document. The admin role always may. */
  readonly roles: 'everybody' | readonly string[];
}
