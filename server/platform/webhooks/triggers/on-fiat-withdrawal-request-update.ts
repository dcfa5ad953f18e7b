import { Type } from 'typebox';
import type { Endpoint } from '../../../http/endpoint.ts';
import { type BankFacts, bankLetter } from './bank-letter.ts';
import { defineTrigger, type TriggerServices } from './define-trigger.ts';
import { rowId, status, statusMove } from './trigger-event.ts';

interface WithdrawalFacts extends BankFacts {
  readonly id: string;
}

/** Sets money aside that is to be paid out, and books it once it was. */
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
        'Approved, amount and fee are set aside in its wallet and the withdrawal goes on to processing, or it is rejected where they cannot be. Completed, they are taken off the balance; failed, rejected, cancelled or held, they are let go. The person is told, of the end by mail.',
      effect: (event) => [
        'rowgate_webhooks.on_fiat_withdrawal_request_update($1, $2, $3, $4)',
        statusMove(event),
      ],
      letter: (facts, { outcome }) => bankLetter(facts, wordsOf(facts, outcome), services.format),
    },
    services,
  );
}

function wordsOf({ id }: WithdrawalFacts, outcome: string) {
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
