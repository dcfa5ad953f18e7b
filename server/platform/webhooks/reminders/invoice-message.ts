import type { Message } from '../../../mail/mailer.ts';
import type { Format } from '../../../rendering/format.ts';
import { languageOf } from '../../document-language.ts';
import { contactsOf, greeting, textOf } from './message-parts.ts';
import type { ReminderRow } from './remind-all.ts';

/** Makes the reminder mail to an organization about an overdue invoice. */
export function invoiceMessage(
  row: ReminderRow,
  { format, baseUrl }: { readonly format: Format; readonly baseUrl: string },
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
        { kind: 'paragraph', text: sentenceOf(stage, text('organization')) },
        {
          kind: 'facts',
          items: [
            { term: 'Invoice', value: number },
            ...(isPartlyPaid ? [{ term: 'Invoice total', value: money('total') }] : []),
            { term: 'Amount open', value: money('open') },
            { term: 'Due', value: format.date(dueOn) },
            { term: 'Overdue for', value: daysText(Number(row.days)) },
          ],
        },
        { kind: 'link', text: 'View the invoice', url: `${baseUrl}/invoices/${id}` },
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

function sentenceOf(stage: number, organization: string): string {
  if (stage >= 30) {
    return `The invoice below to ${organization} is still open, a month after it was due. Please pay it now.`;
  }
  if (stage >= 7) {
    return `We have not received the whole amount of the invoice below to ${organization}. Please pay it within the next days.`;
  }
  return `The invoice below to ${organization} was due and has not been paid in full yet.`;
}

function daysText(days: number): string {
  return days === 1 ? '1 day' : `${days} days`;
}
