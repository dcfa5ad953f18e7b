import type { Message } from '../../../../server/mail/mailer.ts';
import type { Block, PrintedDocument } from '../../../../server/rendering/model.ts';

/** Makes a document with these blocks and a usual title. */
export function documentOf(
  blocks: readonly Block[],
  more: Partial<PrintedDocument> = {},
): PrintedDocument {
  return {
    title: 'Invoice INV-7 is overdue',
    heading: 'Invoice INV-7 is overdue',
    language: 'en-GB',
    parties: [],
    blocks,
    modifiedAt: '2026-03-01T00:00:00.000Z',
    ...more,
  };
}

/** A reminder of an unpaid invoice, like those that the platform sends. */
export const reminder: PrintedDocument = documentOf(
  [
    { kind: 'paragraph', text: 'Dear Ada Lovelace,\nan invoice has not been paid yet.' },
    {
      kind: 'facts',
      items: [
        { term: 'Invoice', value: 'INV-7' },
        { term: 'Amount open', value: '£1,250.00' },
        { term: 'Due', value: '1 March 2026' },
      ],
    },
    {
      kind: 'table',
      caption: 'What is billed',
      columns: [
        { title: 'Service', align: 'start', width: 3 },
        { title: 'Amount', align: 'end', width: 1 },
      ],
      rows: [
        ['Custody & keys', '£1,000.00'],
        ['Cards', '£500.00'],
      ],
      totals: [
        { label: 'Paid', value: '£250.00', strong: false },
        { label: 'Open', value: '£1,250.00', strong: true },
      ],
    },
    { kind: 'link', text: 'View the invoice', url: 'https://platform.example/invoices/7?a=1&b=2' },
  ],
  { status: { text: 'Overdue', tone: 'bad' } },
);

/** Makes a message from these fields and defaults; by default it has one recipient. */
export function messageOf(more: Partial<Message> = {}): Message {
  return {
    key: 'reminder/7',
    to: ['ada@example.com'],
    subject: 'Invoice INV-7 is overdue',
    document: reminder,
    ...more,
  };
}
