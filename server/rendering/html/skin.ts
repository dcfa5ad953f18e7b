import type { Column, DocumentStatus, Facts, Link, Notice, Party, Table, Total } from '../model.ts';
import type { Markup } from './markup.ts';

/** The markup that differs between the kinds of pages (documents and mails). Attributes have a leading space. */
export interface Skin {
  /** Renders a text and preserves its line ends. */
  readonly text: (text: string) => Markup | string;
  readonly attributes: {
    readonly heading: Readonly<Record<1 | 2 | 3, Markup>>;
    readonly paragraph: Markup;
    readonly list: Markup;
    readonly listItem: Markup;
    readonly status: (tone: DocumentStatus['tone']) => Markup;
  };
  /** Renders the area of the document's heading and status. */
  readonly top: (headingAndStatus: Markup) => Markup;
  /** Renders parties, which have at least one line and no empty lines. */
  readonly parties: (parties: readonly Party[]) => Markup;
  /** Renders one or more facts. */
  readonly facts: (items: Facts['items']) => Markup;
  /** Renders a notice with a title, a text or both. */
  readonly notice: (notice: Notice) => Markup;
  /** Renders a link to a web address. */
  readonly link: (link: Link) => Markup;
  /** Renders the signature lines of one or more parties. */
  readonly signatures: (parties: readonly string[]) => Markup;
  readonly table: TableSkin;
}

export interface TableSkin {
  readonly table: (table: Table) => Markup;
  readonly caption: Markup;
  /** Renders the element for the widths of the columns, with a line end. */
  readonly widths: (columns: readonly Column[]) => Markup;
  /** The attributes of the table's `thead`, `tbody` and `tfoot`. */
  readonly group: Markup;
  readonly row: Markup;
  readonly column: (column: Column, index: number, count: number) => ColumnSkin;
  readonly total: (
    total: Total,
    span: number,
  ) => Readonly<Record<'row' | 'label' | 'value', Markup>>;
}

/** The attributes of the cells of one column. */
export interface ColumnSkin {
  readonly head: Markup;
  readonly rowHeader: (text: string) => Markup;
  readonly cell: (text: string) => Markup;
}
