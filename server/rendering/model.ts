/**
 * What is printed, whatever it is printed as: HTML and PDF are made from this alone, so that both say the same. Every
 * text is final and plain: numbers and dates are formatted, and renderers escape.
 */
export interface PrintedDocument {
  /** For the window and the file's metadata, e.g. `Invoice INV-1`. */
  readonly title: string;
  /** As the document itself shows it, above the rest. */
  readonly heading: string;
  /** BCP 47, e.g. `en-GB`. */
  readonly language: string;
  /** What state it is in, e.g. `Paid`, beside the heading. */
  readonly status?: DocumentStatus;
  /** Who it is from and to, side by side. */
  readonly parties: readonly Party[];
  readonly blocks: readonly Block[];
  /** When what it tells changed last; ISO 8601, in UTC. */
  readonly modifiedAt: string;
}

export interface DocumentStatus {
  readonly text: string;
  readonly tone: 'neutral' | 'good' | 'warning' | 'bad';
}

/** A name and an address, one text a line. */
export interface Party {
  /** E.g. `Billed to`. */
  readonly label: string;
  readonly lines: readonly string[];
}

export type Block = Heading | Paragraph | Facts | Table | List | Notice | Link | Signatures;

export interface Heading {
  readonly kind: 'heading';
  /** The document's own heading is 1. */
  readonly level: 2 | 3;
  readonly text: string;
}

/** Line breaks in the text stay. */
export interface Paragraph {
  readonly kind: 'paragraph';
  readonly text: string;
}

/** Terms with what each of them is, e.g. dates and numbers. */
export interface Facts {
  readonly kind: 'facts';
  readonly items: readonly { readonly term: string; readonly value: string }[];
}

/** The head is repeated on each page; totals stand below the last row and stay together. */
export interface Table {
  readonly kind: 'table';
  readonly caption: string;
  readonly columns: readonly Column[];
  /** As many cells as columns. The first cell names the row. */
  readonly rows: readonly (readonly string[])[];
  readonly totals?: readonly Total[];
}

export interface Column {
  readonly title: string;
  /** Numbers stand at the end. */
  readonly align: 'start' | 'end';
  /** Share of the width, in relation to the other columns'. */
  readonly width: number;
}

export interface Total {
  readonly label: string;
  readonly value: string;
  /** The one that counts. */
  readonly strong: boolean;
}

export interface List {
  readonly kind: 'list';
  readonly ordered: boolean;
  readonly items: readonly string[];
}

/** Set apart from the rest, e.g. what is for staff alone. */
export interface Notice {
  readonly kind: 'notice';
  readonly title: string;
  readonly text: string;
}

/** Where to read on. */
export interface Link {
  readonly kind: 'link';
  /** What is there, e.g. `View the invoice`. */
  readonly text: string;
  /** Begins with https:// or http://; what does not is printed, and leads nowhere. */
  readonly url: string;
}

/** A line to sign on for each. */
export interface Signatures {
  readonly kind: 'signatures';
  readonly parties: readonly string[];
}
