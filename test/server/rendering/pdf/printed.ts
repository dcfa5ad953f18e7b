import type { Brand } from '../../../../server/rendering/brand.ts';
import type { Block, PrintedDocument, Table } from '../../../../server/rendering/model.ts';

export const brand: Brand = {
  name: 'Alder Capital',
  colour: '#1f5f8b',
  address: ['12 Alder Lane', 'London EC1A 1BB'],
  footer: 'Registered in England 01234567',
};

/** Makes a document with these blocks and nothing else. */
export function documentOf(
  blocks: readonly Block[],
  more: Partial<PrintedDocument> = {},
): PrintedDocument {
  return {
    title: 'Statement',
    heading: 'Statement',
    language: 'en-GB',
    parties: [],
    blocks,
    modifiedAt: '2026-01-02T03:04:05.000Z',
    ...more,
  };
}

/** Makes a table with this number of lines, and with totals. */
export function tableOf(lines: number, more: Partial<Table> = {}): Table {
  return {
    kind: 'table',
    caption: 'Lines',
    columns: [
      { title: 'Description', align: 'start', width: 5 },
      { title: 'Quantity', align: 'end', width: 1 },
      { title: 'Amount', align: 'end', width: 2 },
    ],
    rows: Array.from({ length: lines }, (_, index) => [
      `Service ${index + 1}`,
      String(index + 1),
      `\u20ac${(index + 1) * 100}.00`,
    ]),
    totals: [
      { label: 'Subtotal', value: '\u20ac32,500.00', strong: false },
      { label: 'Total', value: '\u20ac39,000.00', strong: true },
    ],
    ...more,
  };
}

/** A document of two pages with blocks of every kind. */
export const everyKind: PrintedDocument = documentOf(
  [
    {
      kind: 'facts',
      items: [
        { term: 'Number', value: 'INV-1' },
        { term: 'Issued on', value: '2 January 2026' },
        { term: 'Due on', value: '1 February 2026' },
        { term: 'Paid on', value: '5 January 2026' },
        { term: 'Currency', value: 'EUR' },
      ],
    },
    tableOf(16),
    { kind: 'heading', level: 2, text: 'Terms' },
    {
      kind: 'paragraph',
      text: `Payment is due within thirty days.\nSecond line. ${'Words that fill lines. '.repeat(12)}`,
    },
    { kind: 'heading', level: 3, text: 'Details' },
    { kind: 'list', ordered: true, items: ['First', `Second ${'and more '.repeat(20)}`, 'Third'] },
    { kind: 'list', ordered: false, items: ['A point', 'Another point'] },
    {
      kind: 'facts',
      items: [
        { term: 'Purpose', value: `Long ${'and longer '.repeat(12)}` },
        { term: 'Short', value: 'Yes' },
      ],
    },
    { kind: 'notice', title: 'Internal', text: 'For staff alone.\nDo not send.' },
    { kind: 'signatures', parties: ['Alder Capital', 'The client'] },
  ],
  {
    title: 'Invoice INV-1',
    heading: 'Invoice INV-1',
    status: { text: 'Overdue', tone: 'bad' },
    parties: [
      { label: 'From', lines: ['Alder Capital', '12 Alder Lane'] },
      {
        label: 'Billed to',
        lines: [
          '\u00c9lodie \u0152uvr\u00e9',
          'Str\u00f6m & S\u00f6hne',
          '\u041c\u043e\u0441\u043a\u0432\u0430',
        ],
      },
    ],
  },
);
