import type { Brand } from '../../server/rendering/brand.ts';
import type { PrintedDocument } from '../../server/rendering/model.ts';

/** The default brand with typical settings. */
export const brand: Brand = {
  name: 'Alder Capital',
  colour: '#1f5f8b',
  address: ['12 Alder Lane', 'London EC1A 1BB', 'United Kingdom'],
  footer: 'Registered in England 01234567 \u00b7 VAT GB 123 4567 89',
};

const clients = [
  '\u00c9lodie \u0152uvr\u00e9 SARL',
  'S\u00f6hne & Br\u00fcder GmbH',
  'Cedar Holdings Ltd',
  '\u039c\u03ad\u03bb\u03b9\u03c3\u03c3\u03b1 \u0391\u0395',
];
const services = [
  'Custody of digital assets',
  'Settlement desk',
  'Fund administration',
  'Reporting pack',
  'Advice by the hour',
];

const euros = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'EUR' });

/** Makes an invoice of 25 lines. Each number gives another client, other texts and other amounts. */
export function invoice(number: number): PrintedDocument {
  const amounts = Array.from(
    { length: 25 },
    (_, line) => 100 + ((number * 7919 + line * 104_729) % 99_991) / 10,
  );
  const net = amounts.reduce((sum, amount) => sum + amount, 0);
  const name = `INV-2026-${String(number).padStart(4, '0')}`;
  return {
    title: `Invoice ${name}`,
    heading: `Invoice ${name}`,
    language: 'en-GB',
    status: { text: 'Issued', tone: 'neutral' },
    modifiedAt: '2026-01-02T03:04:05.000Z',
    parties: [
      { label: 'From', lines: [brand.name, ...brand.address] },
      {
        label: 'Billed to',
        lines: [clients[number % clients.length] ?? '', `${number} Long Street`],
      },
    ],
    blocks: [
      {
        kind: 'facts',
        items: [
          { term: 'Invoice number', value: name },
          { term: 'Issued on', value: '2 January 2026' },
          { term: 'Due on', value: '1 February 2026' },
          { term: 'Currency', value: 'EUR' },
        ],
      },
      {
        kind: 'table',
        caption: 'Lines',
        columns: [
          { title: 'Description', align: 'start', width: 5 },
          { title: 'Quantity', align: 'end', width: 1.5 },
          { title: 'Unit price', align: 'end', width: 2 },
          { title: 'Tax', align: 'end', width: 1 },
          { title: 'Amount', align: 'end', width: 2 },
        ],
        rows: amounts.map((amount, line) => [
          `${services[(number + line) % services.length]}, week ${line + 1} of ${2000 + (number % 50)}`,
          String(1 + (line % 9)),
          euros.format(amount / (1 + (line % 9))),
          '20%',
          euros.format(amount),
        ]),
        totals: [
          { label: 'Subtotal', value: euros.format(net), strong: false },
          { label: 'Tax', value: euros.format(net * 0.2), strong: false },
          { label: 'Total', value: euros.format(net * 1.2), strong: true },
        ],
      },
      { kind: 'paragraph', text: 'Payment is due within thirty days of the date of issue.' },
    ],
  };
}
