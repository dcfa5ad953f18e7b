import type { Message } from '../../../mail/mailer.ts';
import type { Format } from '../../../rendering/format.ts';
import type { PlatformConfig } from '../../config/platform-config.ts';
import { languageOf } from '../../document-language.ts';
import { linkTo } from '../../mail-links.ts';
import { contactsOf, greeting, textOf } from './message-parts.ts';
import type { ReminderRow } from './remind-all.ts';

/** The settings that the mail needs. */
export type InvoiceLinks = Pick<PlatformConfig, 'appUrl' | 'baseUrl' | 'documents'>;

/** Makes the reminder mail to an organization about an overdue invoice. */
export function invoiceMessage(
  row: ReminderRow,
  { format, config }: { readonly format: Format; readonly config: InvoiceLinks },
): Message {
  const text = (name: string) => textOf(row, name);
  const money = (name: string) => format.money(text(name), text('currency'));
  const [id, number, dueOn, stage] = [text('id'), text('number'), text('dueOn'), Number(row.stage)];
  const contacts = contactsOf(row);
  const subject = `${titleOf(stage)}: invoice ${number}`;
  const isPartlyPaid = text('open') !== text('total');
  return {
    key: `invoice-reminder/${id}/${dueOn}/${stage}`,
    to: contacts.map(({ email }) => email),
    subject,
    document: {
      title: subject,
      heading: subject,
      language: languageOf(format),
      status: { text: 'Overdue', tone: 'bad' },
      parties: [],
      blocks: [
        { kind: 'paragraph', text: greeting(contacts) },
        {
          kind: 'paragraph',
          text: sentenceOf(stage, {
            number,
            organization: text('organization'),
            total: money('total'),
            open: money('open'),
            dueOn: format.date(dueOn),
            seller: config.documents.brand.name,
          }),
        },
        {
          kind: 'facts',
          items: [
            { term: 'Invoice', value: number },
            ...(isPartlyPaid ? [{ term: 'Invoice total', value: money('total') }] : []),
            { term: 'Amount open', value: money('open') },
            { term: 'Due', value: format.date(dueOn) },
            { term: 'Overdue for', value: daysText(Number(row.days)) },
            ...config.documents.brand.bankAccount,
          ],
        },
        { kind: 'link', text: 'View the invoice', url: linkTo(`invoices/${id}`, config) },
        {
          kind: 'paragraph',
          text: 'If you have paid in the meantime, there is nothing more to do. If something is wrong with the invoice, please tell us.',
        },
      ],
      modifiedAt: new Date().toISOString(),
    },
  };
}

function titleOf(stage: number): string {
  if (stage >= 30) return 'Final reminder';
  return stage >= 7 ? 'Payment reminder' : 'Payment overdue';
}

interface OverdueInvoice {
  readonly number: string;
  readonly organization: string;
  readonly seller: string;
  readonly total: string;
  readonly open: string;
  readonly dueOn: string;
}

function sentenceOf(stage: number, invoice: OverdueInvoice): string {
  const { number, organization, seller, total, open, dueOn } = invoice;
  if (stage >= 30) {
    return `The invoice below to ${organization} is still open, a month after it was due. Please pay it now.`;
  }
  if (stage >= 7) {
    return `We have not received the whole amount of the invoice below to ${organization}. Please pay it within the next days.`;
  }
  return `Invoice ${number} of ${seller} to ${organization} for ${total} was due on ${dueOn}. ${open} of it has not been paid.`;
}

function daysText(days: number): string {
  return days === 1 ? '1 day' : `${days} days`;
}
