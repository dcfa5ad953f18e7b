import type { Message } from '../../../mail/mailer.ts';
import type { Format } from '../../../rendering/format.ts';
import type { Seller } from '../../config/document-config.ts';
import { makeMessage } from './trigger-message.ts';

/** The contents of a mail about a deposit or withdrawal. Amounts are decimal text. */
export interface BankFacts {
  readonly to: readonly string[];
  readonly fullName: string | null;
  readonly organization: string;
  readonly amount: string;
  readonly fee: string;
  readonly currency: string;
  readonly reference: string;
}

interface BankWords {
  readonly key: string;
  readonly subject: string;
  readonly text: string;
  /** The account that the recipient pays to. */
  readonly account?: Seller['bankAccount'];
}

/** Makes a mail with the amount, the fee and the reference of a deposit or withdrawal. */
export function bankMessage(facts: BankFacts, words: BankWords, format: Format): Message {
  const { to, fullName, organization, amount, fee, currency, reference } = facts;
  const { account = [] } = words;
  return makeMessage(
    {
      ...words,
      to,
      name: fullName,
      facts: [
        ['For', organization],
        ['Amount', format.money(amount, currency)],
        ['Fee', /[1-9]/.test(fee) ? format.money(fee, currency) : undefined],
        ...account.map(({ term, value }) => [term, value] as const),
        ['Reference', reference],
      ],
    },
    format,
  );
}
