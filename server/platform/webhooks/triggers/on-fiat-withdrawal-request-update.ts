import { Type } from 'typebox';
import type { Endpoint } from '../../../http/endpoint/define-endpoint.ts';
import { type BankFacts, bankMessage } from './bank-message.ts';
import { defineTrigger, type TriggerServices } from './define-trigger.ts';
import { rowId, status, statusChange } from './trigger-event.ts';

interface WithdrawalFacts extends BankFacts {
  readonly id: string;
}

/**
 * Makes the endpoint for changed withdrawals of money. It reserves the amount in the wallet at the approval, and
 * subtracts it when the money was paid out.
 */
export function onFiatWithdrawalRequestUpdate(services: TriggerServices): Endpoint {
  return defineTrigger<typeof row, WithdrawalFacts>(
    {
      name: 'on-fiat-withdrawal-request-update',
      operationId: 'onFiatWithdrawalRequestUpdate',
      table: 'fiat_withdrawal_request',
      operations: ['INSERT', 'UPDATE'],
      row,
      summary: 'a withdrawal was entered, or its status changed',
      description:
        'Approved: reserves amount and fee in the wallet and moves the withdrawal to processing, or rejects it when the balance is too low. Completed: subtracts them from the balance. Failed, rejected, cancelled or held: releases them. Notifies the person, and mails the final result.',
      effect: (event) => [
        'rowgate_webhooks.on_fiat_withdrawal_request_update($1, $2, $3, $4)',
        statusChange(event),
      ],
      writeMessage: (facts, { outcome }) =>
        bankMessage(facts, wordingOf(facts, outcome), services.format),
    },
    services,
  );
}

function wordingOf({ id }: WithdrawalFacts, outcome: string) {
  const key = `withdrawal-${outcome}/${id}`;
  if (outcome === 'completed') {
    return {
      key,
      subject: 'Your withdrawal was paid out',
      text: 'The bank has paid out your withdrawal. It may take a day or two until the money is on your account.',
    };
  }
  return {
    key,
    subject: 'Your withdrawal could not be paid out',
    text: 'The bank could not pay out your withdrawal. The money is available again.',
  };
}

const row = Type.Object({ id: rowId, status });
