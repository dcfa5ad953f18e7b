import type { MailTemplate } from '../application.ts';

/** Every mail that the platform sends; a letter with another key is a mistake of the program. */
export const mailTemplates: readonly MailTemplate[] = [
  { key: 'welcome', purpose: 'to a new user, about the first steps' },
  { key: 'receipt', purpose: 'to the payer of an invoice, with what was paid' },
  {
    key: 'invoice-reminder',
    purpose: 'to the billed organization, before and after an invoice is due',
  },
  {
    key: 'card-reminder',
    purpose: 'to the holder of a card that expires or waits for its activation',
  },
  { key: 'deposit-approved', purpose: 'to the depositor, with the account to pay to' },
  { key: 'deposit-completed', purpose: 'to the depositor, when the money has arrived' },
  { key: 'failed-logins', purpose: 'to a user after many failed sign-ins' },
];
