import type { Brand } from '../../../../server/rendering/brand.ts';
import { makeFormat } from '../../../../server/rendering/format.ts';
import type { Block, PrintedDocument, Table } from '../../../../server/rendering/model.ts';
import { makePng } from '../pictures.ts';

/** A brand without a logo. */
export const brand: Brand = {
  name: 'Harbour Digital Assets',
  colour: '#24566b',
  address: [
    'Harbour Digital Assets Ltd',
    '14 Quay Street',
    'Bristol BS1 4DJ',
    'VAT GB 123 4567 89',
  ],
  footer: 'Registered in England and Wales, no. 01234567 · IBAN GB33 BUKB 2020 1555 5555 55',
};

/** The same brand with a logo in one colour. */
export const brandWithLogo: Brand = {
  ...brand,
  logo: { contentType: 'image/png', data: new Uint8Array(makePng(240, 60)) },
};

const format = makeFormat('en-GB');
const eur = (amount: string) => format.money(amount, 'EUR');

/** Makes a document with these blocks. Its other parts have usual values. */
export function documentOf(
  blocks: readonly Block[],
  rest: Partial<PrintedDocument> = {},
): PrintedDocument {
  return {
    title: 'Invoice INV-2025-001',
    heading: 'Invoice',
    language: 'en-GB',
    parties: [],
    blocks,
    modifiedAt: '2025-05-03T20:00:00.000Z',
    ...rest,
  };
}

/** Makes an invoice with this number of lines. */
export function makeInvoice(lines: number): PrintedDocument {
  return documentOf(
    [
      {
        kind: 'facts',
        items: [
          { term: 'Invoice number', value: 'INV-2025-001' },
          { term: 'Issued', value: format.date('2025-05-03') },
          { term: 'Due', value: format.date('2025-06-02') },
          { term: 'Currency', value: 'EUR' },
        ],
      },
      makeLines(lines),
    ],
    {
      heading: 'Invoice INV-2025-001',
      status: { text: 'Overdue', tone: 'bad' },
      parties: [
        {
          label: 'Billed to',
          lines: ['Alder Capital Partners GmbH', 'Neuer Wall 42', '20354 Hamburg', 'Germany'],
        },
        { label: 'Deliver to', lines: ['נועם בן־דוד', 'רחוב הרצל 12', 'תל אביב'] },
      ],
    },
  );
}

function makeLines(lines: number): Table {
  const services = [
    'Custody of digital assets',
    'Fund administration',
    'Settlement of trades, May 2025',
    'Compliance review',
  ];
  return {
    kind: 'table',
    caption: 'Lines',
    columns: [
      { title: 'Description', align: 'start', width: 40 },
      { title: 'Quantity', align: 'end', width: 12 },
      { title: 'Unit price', align: 'end', width: 16 },
      { title: 'Tax', align: 'end', width: 12 },
      { title: 'Amount', align: 'end', width: 20 },
    ],
    rows: Array.from({ length: lines }, (_, index) => [
      `${services[index % services.length]}`,
      format.number(String((index % 7) + 1)),
      eur('1250.50'),
      format.percent('20'),
      eur(`${1250.5 * ((index % 7) + 1)}`),
    ]),
    totals: [
      { label: 'Subtotal', value: eur('125050.00'), strong: false },
      { label: 'Tax', value: eur('25010.00'), strong: false },
      { label: 'Total due', value: eur('150060.00'), strong: true },
    ],
  };
}

/** A document with one block of each kind. */
export const everything: PrintedDocument = documentOf(
  [
    { kind: 'paragraph', text: 'Thank you for your business.\nPlease pay by the date below.' },
    ...makeInvoice(4).blocks,
    { kind: 'heading', level: 2, text: 'Terms' },
    {
      kind: 'paragraph',
      text: 'The agreement runs for a year from the day of the last signature.',
    },
    { kind: 'heading', level: 3, text: 'Duties' },
    {
      kind: 'list',
      ordered: true,
      items: ['Keep the keys apart.', 'Tell of every loss within a day.'],
    },
    { kind: 'list', ordered: false, items: ['Ether', 'Bitcoin', 'شركة النور للاستثمار'] },
    {
      kind: 'notice',
      title: 'Internal',
      text: 'The client asked for a discount.\nNot for the client to read.',
    },
    { kind: 'signatures', parties: ['Alder Capital Partners GmbH', 'Harbour Digital Assets Ltd'] },
  ],
  {
    heading: 'Invoice INV-2025-001',
    status: { text: 'Paid', tone: 'good' },
    parties: makeInvoice(0).parties,
  },
);
