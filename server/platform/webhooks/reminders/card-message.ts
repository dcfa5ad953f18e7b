import type { Message } from '../../../mail/mailer.ts';
import type { Format } from '../../../rendering/format.ts';
import type { Block, DocumentStatus } from '../../../rendering/model.ts';
import { languageOf } from '../../document-language.ts';
import { contactsOf, greeting, textOf } from './message-parts.ts';
import type { ReminderRow } from './remind-all.ts';

interface Reason {
  readonly subject: string;
  readonly status: DocumentStatus;
  readonly text: string;
}

const expiring = (text: string): Reason => ({
  subject: 'Your card expires soon',
  status: { text: 'Expires soon', tone: 'warning' },
  text,
});

/** The texts of the mail, by the stage of the reminder that the function rowgate_webhooks.remind_cards returns. */
const reasons: Readonly<Record<string, Reason>> = {
  'expiry-30': expiring(
    'Your card expires within the next 30 days. Please make sure that a new one is on its way.',
  ),
  'expiry-7': expiring(
    'Your card expires within the next 7 days. Please change it wherever it pays by itself, or those payments will be declined.',
  ),
  expired: {
    subject: 'Your card has expired',
    status: { text: 'Expired', tone: 'bad' },
    text: 'Your card has expired and can no longer be used.',
  },
  balance: {
    subject: 'Little is left on your card',
    status: { text: 'Low balance', tone: 'warning' },
    text: 'Little is left to spend on your card. Payments for more than that will be declined.',
  },
};

/** Makes the reminder mail to the holder of a card. */
export function cardMessage(row: ReminderRow, { format }: { readonly format: Format }): Message {
  const stage = textOf(row, 'stage');
  const reason = reasons[stage];
  if (!reason) throw new Error(`there is no mail for the stage "${stage}"`);
  const contacts = contactsOf(row);
  const period = stage === 'balance' ? textOf(row, 'month') : textOf(row, 'expiresOn');
  return {
    key: `card-reminder/${textOf(row, 'id')}/${stage}/${period}`,
    to: contacts.map(({ email }) => email),
    subject: `${reason.subject}: ${textOf(row, 'card')}`,
    document: {
      title: reason.subject,
      heading: reason.subject,
      language: languageOf(format),
      status: reason.status,
      parties: [],
      blocks: [
        { kind: 'paragraph', text: greeting(contacts) },
        { kind: 'paragraph', text: reason.text },
        factsOf(row, format),
      ],
      modifiedAt: new Date().toISOString(),
    },
  };
}

function factsOf(row: ReminderRow, format: Format): Block {
  const text = (name: string) => textOf(row, name);
  const money = (name: string) => format.money(text(name), text('currency'));
  return {
    kind: 'facts',
    items: [
      { term: 'Card', value: text('card') },
      ...(text('expiresOn') ? [{ term: 'Valid to', value: format.date(text('expiresOn')) }] : []),
      { term: 'Left to spend', value: money('balance') },
      ...(text('limit') ? [{ term: 'Monthly limit', value: money('limit') }] : []),
    ],
  };
}
