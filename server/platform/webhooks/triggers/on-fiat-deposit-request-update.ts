import { Type } from 'typebox';
import type { Endpoint } from '../../../http/endpoint/define-endpoint.ts';
import { type BankFacts, bankMessage } from './bank-message.ts';
import { defineTrigger, type TriggerServices } from './define-trigger.ts';
import { rowId, status, statusChange } from './trigger-event.ts';

interface DepositFacts extends BankFacts {
  readonly id: string;
}

/**
 * Makes the endpoint for changed deposits of money. It credits the wallet of the person when the money was received.
 */
export function onFiatDepositRequestUpdate(services: TriggerServices): Endpoint {
  return defineTrigger<typeof row, DepositFacts>(
    {
      name: 'on-fiat-deposit-request-update',
      operationId: 'onFiatDepositRequestUpdate',
      table: 'fiat_deposit_request',
      operations: ['INSERT', 'UPDATE'],
      row,
      summary: 'a deposit was entered, or its status changed',
      description:
        'Approved: mails the person the account and the reference for the transfer. Received: credits the wallet with one stable coin for each unit of the currency and completes the deposit, or notifies accounting when that is not possible. Completed: notifies the person by mail.',
      effect: (event) => [
        'rowgate_webhooks.on_fiat_deposit_request_update($1, $2, $3, $4)',
        statusChange(event),
      ],
      writeMessage: (facts, { outcome }) =>
        bankMessage(facts, wordingOf(facts, outcome, services), services.format),
    },
    services,
  );
}

function wordingOf({ id, reference }: DepositFacts, outcome: string, { config }: TriggerServices) {
  if (outcome === 'approved') {
    const { bankAccount } = config.documents.brand;
    const isKnown = bankAccount.length > 0;
    return {
      key: `deposit-approved/${id}`,
      subject: 'Please transfer the money of your deposit',
      text: `Your deposit is expected. ${isKnown ? 'Transfer the amount to the account below.' : 'Transfer the amount to the account that we agreed on.'} Write the reference ${reference} on the transfer, and nothing else, so that the money is recognised.`,
      account: bankAccount,
    };
  }
  return {
    key: `deposit-completed/${id}`,
    subject: 'Your deposit is credited',
    text: 'The money of your deposit has arrived and is credited.',
  };
}

const row = Type.Object({ id: rowId, status });
