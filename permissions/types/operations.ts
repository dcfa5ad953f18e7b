import type { RawListedDocument } from '../metadata/documents/read-listed-documents.ts';

/** A document of the allow-list. Its name is unique in its collection. */
export interface ListedDocument extends RawListedDocument {
  readonly collection: string;
  /** The roles that may run it; admin always may. */
  readonly roles: 'everybody' | readonly string[];
}
