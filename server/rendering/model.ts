/**
 * The content of a document, independent of the format: HTML, PDF and mails are rendered from it alone and therefore
 * have the same content. All texts are plain. Numbers and dates are already formatted; the renderers escape texts.
 */
export interface PrintedDocument {
  /** The title of the window and of the file, e.g. `Invoice INV-1`. */
  readonly title: string;
  /** The heading at the top of the document. */
  readonly heading: string;
  /** A BCP 47 language tag, e.g. `en-GB`. */
  readonly language: string;
  /** The status beside the heading, e.g. `Paid`. */
  readonly status?: DocumentStatus;
  /** The sender, the recipient and the like, printed side by side. */
  readonly parties: readonly Party[];
  readonly blocks: readonly Block[];
  /** The time of the content's last change, in ISO 8601 and UTC. */
  readonly modifiedAt: string;
}

export interface DocumentStatus {
  readonly text: string;
  readonly tone: 'neutral' | 'good' | 'warning' | 'bad';
}

/** A name and an address. */
export interface Party {
  /** The role of the party, e.g. `Billed to`. */
  readonly label: string;
  readonly lines: readonly string[];
}

export type Block = Heading | Paragraph | Facts | Table | List | Notice | Link | Signatures;

export interface Heading {
  readonly kind: 'heading';
  /** The level of the heading. The document's own heading has level 1. */
  readonly level: 2 | 3;
  readonly text: string;
}

/** A paragraph, which preserves line breaks in its text. */
export interface Paragraph {
  readonly kind: 'paragraph';
  readonly text: string;
}

/** Pairs of terms and values, e.g. dates and numbers. */
export interface Facts {
  readonly kind: 'facts';
  readonly items: readonly { readonly term: string; readonly value: string }[];
}

/** A table. Its head is repeated on each page. Its totals follow the last row and are not divided between pages. */
export interface Table {
  readonly kind: 'table';
  readonly caption: string;
  readonly columns: readonly Column[];
  /** Rows with as many cells as columns. The first cell is the row header. */
  readonly rows: readonly (readonly string[])[];
  readonly totals?: readonly Total[];
}

export interface Column {
  readonly title: string;
  /** `end` is for numbers. */
  readonly align: 'start' | 'end';
  /** The width relative to the other columns. */
  readonly width: number;
}

export interface Total {
  readonly label: string;
  readonly value: string;
  /** Whether to emphasize this total as the result. */
  readonly strong: boolean;
}

export interface List {
  readonly kind: 'list';
  readonly ordered: boolean;
  readonly items: readonly string[];
}

/** A highlighted note, e.g. for staff only. */
export interface Notice {
  readonly kind: 'notice';
  readonly title: string;
  readonly text: string;
}

/** A link to further information. */
export interface Link {
  readonly kind: 'link';
  /** The label, e.g. `View the invoice`. */
  readonly text: string;
  /** An https or http URL. Any other text is printed but not linked. */
  readonly url: string;
}

/** A signature line for each party. */
export interface Signatures {
  readonly kind: 'signatures';
  readonly parties: readonly string[];
}
