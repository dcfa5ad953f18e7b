import type { Column, DocumentStatus, Facts, Link, Notice, Party, Table, Total } from '../model.ts';
import type { Markup } from './markup.ts';

/** How one kind of page (a document, a mail) writes what all of them have. Attributes begin with a space. */
export interface Skin {
  /** A text whose line ends stay. */
  readonly text: (text: string) => Markup | string;
  readonly attributes: {
    readonly heading: Readonly<Record<1 | 2 | 3, Markup>>;
    readonly paragraph: Markup;
    readonly list: Markup;
    readonly listItem: Markup;
    readonly status: (tone: DocumentStatus['tone']) => Markup;
  };
  /** Puts the document's heading and status together. */
  readonly top: (headingAndStatus: Markup) => Markup;
  /** Of parties that have lines; no line is empty. */
  readonly parties: (parties: readonly Party[]) => Markup;
  /** Of one fact or more. */
  readonly facts: (items: Facts['items']) => Markup;
  /** Of a notice with a title, a text or both. */
  readonly notice: (notice: Notice) => Markup;
  /** Of a link to a web address. */
  readonly link: (link: Link) => Markup;
  /** Of one party or more. */
  readonly signatures: (parties: readonly string[]) => Markup;
  readonly table: TableSkin;
}

export interface TableSkin {
  readonly table: (table: Table) => Markup;
  readonly caption: Markup;
  /** An element for the widths of the columns, with its line end. */
  readonly widths: (columns: readonly Column[]) => Markup;
  /** Attributes of head, body and foot. */
  readonly group: Markup;
  readonly row: Markup;
  readonly column: (column: Column, index: number, count: number) => ColumnSkin;
  readonly total: (
    total: Total,
    span: number,
  ) => Readonly<Record<'row' | 'label' | 'value', Markup>>;
}

/** Attributes of the cells of one column. */
export interface ColumnSkin {
  readonly head: Markup;
  readonly rowHeader: (text: string) => Markup;
  readonly cell: (text: string) => Markup;
}
